/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableWriter;

/** A close archives everything that was written before it, as long as it may wait. */
class CloseTest {
  private static final Archiver.Options PATIENT =
      Archiver.Options.defaults().every(Duration.ofHours(1), Duration.ofHours(1)).closeWithin(Duration.ofMinutes(2));

  @TempDir Path folder;

  private static byte[] bytes(int number) {
    return new byte[] {(byte) number};
  }

  private void assertRestored(Archive archive, int... rows) throws IOException {
    archive.restore(folder.resolve("restored"), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve("restored"))) {
      for (int row : rows) {
        assertArrayEquals(bytes(row), db.get(bytes(row)));
      }
    }
  }

  @Test
  void aShortLivedProgramIsArchived() throws Exception {
    Archive archive = Archive.in(FolderStore.open(folder.resolve("store")));
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(bytes(1), bytes(1));
      Archiver archiver = archive.start(db, PATIENT);
      db.put(bytes(2), bytes(2));
      archiver.close();
      assertEquals("", archiver.status().problem());
      assertEquals(2, archiver.status().sequence());
    }
    assertRestored(archive, 1, 2);
  }

  @Test
  void anIngestionJustBeforeACloseIsArchived() throws Exception {
    Archive archive = Archive.in(FolderStore.open(folder.resolve("store")));
    Path table = folder.resolve("table.sst");
    try (TableWriter writer = TableWriter.create(table, FamilyOptions.defaults())) {
      writer.put(bytes(2), bytes(2));
      writer.finish();
    }
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      Archiver archiver = archive.start(db, PATIENT.leastBetweenBases(Duration.ofHours(1)));
      db.put(bytes(1), bytes(1));
      Await.until("the first base", () -> archiver.status().bases() == 1);
      db.files().ingest(table);
      archiver.close();
      assertEquals("", archiver.status().problem());
    }
    assertRestored(archive, 1, 2);
  }

  @Test
  void timesWithoutAnEndAreAccepted() throws Exception {
    Duration ever = ChronoUnit.FOREVER.getDuration();
    Archive archive = Archive.in(FolderStore.open(folder.resolve("store")));
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      Archiver archiver =
          archive.start(
              db, PATIENT.every(ever, ever).leastBetweenBases(ever).retain(ever, ByteSize.gib(1)).closeWithin(ever));
      db.put(bytes(1), bytes(1));
      archiver.close();
      assertEquals("", archiver.status().problem());
    }
    archive.prune(new Archive.Policy(ever, ever, ever));
    archive.prune(new Archive.Policy(Duration.ZERO, ever, ever));
    assertRestored(archive, 1);
  }

  /** A store whose puts of some objects wait until they are interrupted. */
  private static final class Stuck extends HostileStore {
    private final CountDownLatch never = new CountDownLatch(1);
    private final Pattern names;

    Stuck(ObjectStore store, String names) {
      super(store, 1, Integer.MAX_VALUE);
      this.names = Pattern.compile(names);
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      if (!names.matcher(name).matches()) {
        return super.putIfAbsent(name, content);
      }
      try {
        never.await();
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("stopped");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "files/.*", // the close waits for the upload, and abandons it
    "log/.*", // the close interrupts the archiver's thread
    "files/.*|log/0*2" // both
  })
  void aCloseWithoutABaseIsBoundedAndSaysSo(String stuck) throws Exception {
    Archive archive = Archive.in(new Stuck(FolderStore.open(folder.resolve("store")), stuck));
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(bytes(1), bytes(1));
      Archiver archiver = archive.start(db, PATIENT.closeWithin(Duration.ofMillis(200)));
      db.put(bytes(2), bytes(2));
      archiver.close();
      assertEquals(Archiver.Phase.CLOSED, archiver.status().phase());
      String said = "writes after number 0 are not archived: the archiver was closed before a base was complete";
      assertTrue(archiver.status().problem().startsWith(said), archiver.status()::toString);
      assertEquals("1", db.family("default").metrics().property("rocksdb.is-file-deletions-enabled"));
    }
    assertThrows(IllegalArgumentException.class, () -> archive.restore(folder.resolve("restored"), Target.newest()));
  }
}
