/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.RocksDb;

/**
 * WAL files that get batches while they are listed are read. The numbers of the batches do not reveal a missing one
 * here, because the tables may have the writes that the WAL lacks.
 */
class LogTailTest {
  @TempDir Path folder;

  private Path logs;

  /** Makes WAL files: 1 is empty, 2 has the writes 1 and 2, and 3 has a mark of a flush and the write 3. */
  @BeforeEach
  void fill() throws IOException {
    logs = Files.createDirectory(folder.resolve("logs"));
    Path database = folder.resolve("db");
    try (RocksDb db = RocksDb.open(database)) {
      db.put("1".getBytes(UTF_8), new byte[10]);
      db.put("2".getBytes(UTF_8), new byte[10]);
      copyNewest(database, log(2));
      db.flush();
      copyNewest(database, folder.resolve("mark"));
      db.put("3".getBytes(UTF_8), new byte[10]);
      copyNewest(database, log(3));
    }
    Files.createFile(log(1));
  }

  private Path log(int number) {
    return logs.resolve("00000" + number + ".log");
  }

  private static void copyNewest(Path database, Path target) throws IOException {
    Files.copy(database.resolve(String.format("%06d.log", LogTail.current(database))), target);
  }

  /** Changes the first list of the files, as a writer does that is faster than the list. */
  private interface Change {
    void make(NavigableSet<Long> listed) throws IOException;
  }

  private List<Long> read(long covered, Change change) throws IOException {
    AtomicBoolean isListed = new AtomicBoolean();
    LogTail tail =
        new LogTail(logs, 1, 1, covered, false) {
          @Override
          NavigableSet<Long> numbers() throws IOException {
            NavigableSet<Long> numbers = super.numbers();
            if (!isListed.getAndSet(true)) {
              change.make(numbers);
            }
            return numbers;
          }
        };
    tail.mayMissInTables(3);
    Segment segment = tail.read(1 << 20);
    assertNull(tail.gap());
    assertEquals(3, tail.sequence());
    return segment.pieces().stream().map(Segment.Piece::log).toList();
  }

  @Test
  void aFileThatIsCreatedDuringTheListIsRead() throws IOException {
    assertEquals(List.of(2L, 3L), read(0, listed -> listed.remove(2L)));
  }

  @Test
  void aFileThatGrowsUntilTheNextOneHasABatchIsRead() throws IOException {
    List<Long> read = read(0, listed -> {
      Files.move(log(2), log(1), StandardCopyOption.REPLACE_EXISTING);
      listed.remove(2L);
    });
    assertEquals(List.of(1L, 3L), read);
  }

  /** Its batch uses no number, as the batch of a prepared transaction, so the numbers of the next file continue. */
  @Test
  void aFileWithoutNumbersThatIsCreatedDuringTheListIsRead() throws IOException {
    Files.move(folder.resolve("mark"), log(2), StandardCopyOption.REPLACE_EXISTING);
    assertEquals(List.of(2L, 3L), read(2, listed -> listed.remove(2L)));
  }
}
