/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.internal.folder.LiveLog;
import org.rocksdbffm.internal.folder.LogContents;
import org.rocksdbffm.internal.format.LogEnd.Kind;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.Folders;
import org.rocksdbffm.tools.LiveObjectsCheck;
import org.rocksdbffm.tools.Sweeps;

/**
 * Compares the report of the WAL reader for killed, truncated and changed databases with the rows that the engine then
 * recovers: with any WAL options, the report predicts the number of rows, and no opening loses more rows than a crash
 * may.
 */
@ExtendWith(LiveObjectsCheck.class)
final class LogRecoveryTest {
  private static final int ROWS = 60;
  private static final int CUTS = Sweeps.of(6, 40);
  private static final int FLIPS = Sweeps.of(8, 60);

  @TempDir Path temporary;

  private Path killed;
  private final List<Long> others = new ArrayList<>(); // sequence numbers of writes to dropped families

  /** The options with which the WAL is written. */
  record Writing(boolean recycled, boolean compressed, boolean allocated, boolean twoPhases, boolean several,
      int valueSize) {
    DatabaseOptions options() {
      return DatabaseOptions.defaults()
          .option("recycle_log_file_num", recycled ? 2 : 0)
          .option("wal_compression", compressed ? "kZSTD" : "kNoCompression")
          .option("allow_fallocate", allocated);
    }

    private RocksDb open(Path folder) {
      Opening opening = RocksDb.at(folder).options(options())
          .defaults(FamilyOptions.defaults().option("disable_auto_compactions", true));
      return twoPhases ? opening.openTransactional() : opening.open();
    }

    private void put(RocksDb db, int row) {
      byte[] key = "row %04d".formatted(row).getBytes();
      if (twoPhases && row % 3 == 0) {
        try (Transaction transaction = ((TransactionDb) db).begin()) {
          transaction.put(key, Bytes.random(valueSize, row));
          transaction.prepare("t" + row);
          transaction.commit();
        }
      } else {
        db.put(key, Bytes.random(valueSize, row));
      }
    }
  }

  static Stream<Writing> writings() {
    return IntStream.range(0, 32)
        .filter(i -> Integer.bitCount(i) % 2 == 0 && i % Sweeps.of(3, 1) == 0 || Sweeps.of(0, 1) == 1)
        .mapToObj(i ->
            new Writing((i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, (i & 16) != 0, i % 2 == 0 ? 3000 : 90));
  }

  /** Writes a database, and copies the open database, as after a kill: the rows 0 to ROWS are only in the WAL. */
  private void kill(Writing writing) throws IOException {
    killed = temporary.resolve("killed");
    try (RocksDb db = writing.open(temporary.resolve("db"))) {
      for (int round = 0; round < 4; round++) {
        for (int row = 0; row < 2 * ROWS; row++) {
          db.put(("old %d %d".formatted(round, row)).getBytes(), Bytes.random(writing.valueSize, row));
        }
        db.flush();
      }
      for (int row = 0; row < ROWS; row++) {
        writing.put(db, row);
        if (writing.several && row % (ROWS / 2) == 10) {
          var other = db.createFamily("other" + row, FamilyOptions.defaults());
          other.put("k".getBytes(), "v".getBytes());
          others.add(db.files().latestSequenceNumber());
          other.flush(); // so that the next write starts a new WAL file
          db.dropFamily(other);
        }
      }
      Folders.copy(db.path(), killed);
    }
  }

  /** Returns the number of rows that the engine recovers from its WAL files, up to the first gap between writes. */
  private long predicted(List<LiveLog> logs) {
    long rows = 0;
    long next = -1;
    boolean isStopped = false;
    for (LiveLog log : logs) {
      if (log.batches() > 0) {
        isStopped &= log.first() != next;
        if (!isStopped) {
          next = log.last() + 1;
          rows += next - log.first() - others.stream().filter(number -> number >= log.first() && number <= log.last())
              .count();
        }
      }
      isStopped |= log.end().reason() != null;
    }
    return rows;
  }

  private static long rows(RocksDb db) {
    long rows = 0;
    try (Scan scan = db.scan(KeyRange.prefix("row".getBytes()))) {
      while (scan.next()) {
        rows++;
      }
    }
    return rows;
  }

  private interface Change {
    void to(byte[] bytes);
  }

  /** Opens a copy with changed bytes in a WAL file, and returns the reader's report about that file. */
  private LiveLog check(Writing writing, int index, byte[] bytes, String what) throws IOException {
    Path copy = temporary.resolve("copy");
    Folders.copy(killed, copy);
    try {
      Path file = copy.resolve(LogContents.live(killed).logs().get(index).file().getFileName());
      Files.write(file, bytes);
      List<LiveLog> logs = LogContents.live(copy).logs();
      LiveLog changed = logs.get(index);
      Opening opening = RocksDb.at(copy).options(writing.options());
      if (changed.end().isEndless()) {
        assertThrowsExactly(RocksDbException.class, () -> opening.openTransactional().close(), what);
        return changed;
      }
      boolean isBeforeLost = index + 1 < logs.size() && logs.get(index + 1).first() != changed.last() + 1;
      boolean isRefused = !changed.end().isOfCrash() || isBeforeLost && changed.end().kind() == Kind.TORN;
      if (isRefused) {
        RocksDbException refused =
            assertThrowsExactly(RocksDbException.class, () -> opening.openReadOnly().close(), what);
        assertTrue(refused.getMessage().contains("is damaged at byte " + changed.end().offset() + " "),
            refused.getMessage());
      }
      Opening accepting = isRefused ? RocksDb.at(copy).options(writing.options().acceptWalDamage()) : opening;
      try (RocksDb db = writing.twoPhases ? accepting.openTransactional() : accepting.open()) {
        assertEquals(predicted(logs), rows(db), () -> what + ": " + logs);
      }
      return changed;
    } finally {
      Folders.delete(copy);
    }
  }

  private static byte[] changed(byte[] whole, Change change) {
    byte[] bytes = whole.clone();
    change.to(bytes);
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("writings")
  void theReaderPredictsWhatTheEngineRecovers(Writing writing) throws IOException {
    kill(writing);
    List<LiveLog> logs = LogContents.live(killed).logs();
    assertEquals(writing.several ? 3 : 1, logs.size(), logs::toString);
    boolean isRecycled = writing.recycled && !writing.several; // a closed WAL file ends with its last record
    assertEquals(isRecycled ? Kind.RECYCLED : Kind.WHOLE, logs.getLast().end().kind(), logs::toString);
    for (int index = 0; index < logs.size(); index++) {
      LiveLog log = logs.get(index);
      byte[] whole = Files.readAllBytes(log.file());
      int end = (int) log.end().offset();
      LiveLog same = check(writing, index, whole, "unchanged");
      assertEquals(log.end(), same.end());
      int first = Math.max(0, end - 2 * writing.valueSize);
      for (int cut = first; cut <= end; cut += Math.max(1, (end - first) / CUTS)) {
        LiveLog live = check(writing, index, Arrays.copyOf(whole, cut), "cut at " + cut);
        assertTrue(live.end().isOfCrash(), live::toString);
        assertEquals(0, live.end().batchesBehind(), live::toString);
      }
      assertEquals(log.batches(),
          check(writing, index, Arrays.copyOf(whole, whole.length + 70_000), "with zeros").batches());
      flip(writing, index, log, whole);
    }
  }

  private void flip(Writing writing, int index, LiveLog log, byte[] whole) throws IOException {
    Random random = new Random(Sweeps.seed());
    for (int i = 0; i < FLIPS && log.batches() > 0; i++) {
      int at = random.nextInt(i % 3 == 0 ? whole.length : (int) log.end().offset());
      int bit = 1 << random.nextInt(8);
      String what = "bit " + bit + " at " + at;
      LiveLog live = check(writing, index, changed(whole, bytes -> bytes[at] ^= (byte) bit), what);
      if (at >= log.end().offset()) {
        assertEquals(log.batches(), live.batches(), what);
        assertTrue(live.end().isOfCrash(), live::toString);
      } else {
        assertTrue(live.end().offset() <= at && live.batches() < log.batches(), () -> what + ": " + live);
        boolean isLast = live.batches() == log.batches() - 1;
        assertEquals(!isLast, live.end().kind() == Kind.DAMAGED, () -> what + ": " + live);
        assertFalse(isLast && !live.end().isOfCrash(), live::toString);
      }
    }
  }
}
