/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.internal.files.ArchivedDatabase;

/** Writes that skip the WAL are archived with bases, even if a program never pauses them. */
class WithoutLogTest {
  @TempDir Path folder;

  private static byte[] key(long number) {
    return String.format("%010d", number).getBytes(UTF_8);
  }

  /** Restores the newest state, and returns how many rows it has. */
  private long restored(Archive archive, String name) throws Exception {
    archive.restore(folder.resolve(name), Target.newest());
    try (RocksDb db = RocksDb.open(folder.resolve(name))) {
      long rows = 0;
      while (db.get(key(rows)) != null) {
        rows++;
      }
      return rows;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aProgramThatAlwaysSkipsTheWalIsArchived(boolean hasNumber) throws Exception {
    ObjectStore store = FolderStore.open(folder.resolve("store"));
    Archive archive = Archive.in(store);
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      KeyWriter skipping = db.with(WriteOptions.defaults().disableWal(true));
      Thread writer =
          Thread.ofPlatform().start(() -> {
            for (long row = 0; !isOver.get(); row++) {
              skipping.put(key(row), key(row));
              written.set(row + 1);
              LockSupport.parkNanos(20_000); // so that little room is used
            }
          });
      OpenDb open = new OpenDb(db);
      Archiver archiver =
          new Archiver(store, hasNumber ? open : new WithoutNumber(open, () -> {}), Await.FAST);
      try {
        Await.until("rows", () -> written.get() > 1_000);
        long before = written.get();
        Await.until(
            "two bases of " + archiver,
            () -> archiver.status().bases() >= 2 && archiver.status().sequence() >= before);
      } finally {
        isOver.set(true);
        writer.join();
      }
      Archiver.Status status = archiver.status();
      assertTrue(restored(archive, "during") >= status.sequence(), status::toString);
      archiver.close();
      assertEquals("", archiver.status().problem());
      assertEquals(db.files().latestSequenceNumber(), archiver.status().sequence());
      assertNotNull(db.get(key(written.get() - 1)));
    }
    assertEquals(written.get(), restored(archive, "after"));
  }

  /** Writes a row to two families, in one batch with two numbers; every second batch skips the WAL. */
  private static void writeRow(RocksDb db, long row) {
    WriteBatch batch = new WriteBatch();
    batch.in(db.family("default")).put(key(row % 100), key(row));
    batch.in(db.family("second")).put(key(row % 100), key(row));
    if (row % 2 == 0) {
      db.write(batch);
    } else {
      db.with(WriteOptions.defaults().disableWal(true)).write(batch);
    }
  }

  /** Checks that a state has the same rows in both families, without a missing one; returns how many were written. */
  private long written(Archive archive, String name, Target target) throws Exception {
    archive.restore(folder.resolve(name), target);
    try (RocksDb db = RocksDb.at(folder.resolve(name)).family("second", FamilyOptions.defaults()).open()) {
      long rows = 0;
      for (int i = 0; i < 100; i++) {
        byte[] value = db.get(key(i));
        rows = value == null ? rows : Math.max(rows, Long.parseLong(new String(value, UTF_8)) + 1);
      }
      for (long row = Math.max(0, rows - 100); row < rows; row++) {
        assertArrayEquals(key(row), db.get(key(row % 100)), name + ", row " + row + " of " + rows);
        assertArrayEquals(key(row), db.family("second").get(key(row % 100)), name + ", row " + row + " of " + rows);
      }
      return rows;
    }
  }

  @Test
  void aProgramThatWritesWithAndWithoutWalIsArchivedWithBases() throws Exception {
    Archive archive = Archive.in(FolderStore.open(folder.resolve("store")));
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    Path database = folder.resolve("db");
    try (RocksDb db = RocksDb.at(database).family("second", FamilyOptions.defaults()).open()) {
      Thread writer =
          Thread.ofPlatform().start(() -> {
            for (long row = 0; !isOver.get(); row++) {
              writeRow(db, row);
              written.set(row + 1);
            }
          });
      Archiver archiver = archive.start(db, Await.FAST);
      try {
        for (int bases = 1; bases <= 5; bases++) {
          long before = written.get();
          long least = archiver.status().bases() + 1;
          Await.until(
              () -> "a base of " + archiver.status(),
              () -> archiver.status().bases() >= least && archiver.status().sequence() >= 2 * before);
        }
        assertTrue(database.toFile().list((_, name) -> name.endsWith(".sst")).length < 50);
      } finally {
        isOver.set(true);
        writer.join();
      }
      long promised = archiver.status().sequence();
      assertTrue(2 * written(archive, "during", Target.newest()) >= promised);
      archiver.close();
      assertEquals("", archiver.status().problem());
    }
    assertEquals(written.get(), written(archive, "after", Target.newest()));
    for (Archive.Base base : archive.list().bases()) {
      Target exactly = Target.sequence(base.sequence());
      assertEquals(base.sequence(), 2 * written(archive, "base-" + base.entry(), exactly));
    }
    assertEquals(List.of(), archive.verify().damages());
  }

  /** A flush, as of a hold, writes a batch without writes to the WAL, after writes that the WAL lacks. */
  @Test
  void aMarkMayFollowMissingWritesAndAWriteMayNot() throws Exception {
    Path database = folder.resolve("db");
    try (RocksDb db = RocksDb.open(database);
        DatabaseFiles.Pause _ = db.files().pauseDeletions()) {
      db.put(key(0), key(0));
      KeyWriter skipping = db.with(WriteOptions.defaults().disableWal(true));
      skipping.put(key(1), key(1));
      skipping.put(key(2), key(2));
      long log = LogTail.current(database);
      LogTail tail = new LogTail(database, log, log, 1, false);
      tail.mayMiss(3);
      db.flush();
      tail.read(1 << 20);
      assertNull(tail.gap());
      assertTrue(tail.isAtEnd());
      assertEquals(3, tail.sequence());
      assertTrue(tail.hasPassedMissing());
      db.put(key(3), key(3));
      tail.read(1 << 20);
      assertTrue(tail.gap().startsWith("the WAL lacks writes before number 4 in "), tail.gap());
    }
  }

  /** A store that runs an action when the first entry is stored, which is after the hold of the first base. */
  private static final class AtFirst extends HostileStore {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Runnable action;

    AtFirst(ObjectStore store, Runnable action) {
      super(store, 1, Integer.MAX_VALUE);
      this.action = action;
    }

    @Override
    public boolean putIfAbsent(String name, Content content) throws IOException {
      if (!isOver.getAndSet(true)) {
        action.run();
      }
      return super.putIfAbsent(name, content);
    }
  }

  @Test
  void aLongWalWhoseWritesAreInTablesIsNoGap() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      for (int row = 0; row < 12; row++) {
        db.put(key(row), new byte[1 << 20]);
      }
      Archive archive =
          Archive.in(new AtFirst(FolderStore.open(folder.resolve("store")), () -> db.put(key(12), key(12))));
      try (Archiver archiver = archive.start(db, Await.FAST.leastBetweenBases(Duration.ofHours(1)))) {
        Await.archived(db, archiver);
        assertEquals(1, archiver.status().bases());
      }
      assertEquals(13, restored(archive, "restored"));
    }
  }

  @Test
  void aWriterThatIsFasterThanTheArchiveHasABase() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      ObjectStore store =
          new HostileStore(FolderStore.open(folder.resolve("store")), 1, Integer.MAX_VALUE) {
            @Override
            public boolean putIfAbsent(String name, Content content) throws IOException {
              boolean isStored = super.putIfAbsent(name, content);
              for (int row = 0; row < 6 && name.startsWith("log/") && !isOver.get(); row++) {
                db.put(key(row), new byte[1 << 20]); // more than a segment, so that the end of the WAL is never reached
              }
              return isStored;
            }
          };
      try (Archiver archiver = Archive.in(store).start(db, Await.FAST)) {
        Await.until("a base of " + archiver, () -> archiver.status().bases() == 1 && archiver.status().sequence() > 0);
        isOver.set(true);
        Await.archived(db, archiver);
      }
    } finally {
      isOver.set(true);
    }
  }

  /** A database without the number of its last write in a hold, as of the drop-in; runs an action whenever files are held. */
  private record WithoutNumber(OpenDb open, Runnable action) implements ArchivedDatabase {
    @Override
    public Hold hold(boolean flushFirst) {
      Hold hold = open.hold(flushFirst);
      if (flushFirst) {
        action.run();
      }
      return new Hold(hold.files(), -1, hold.end());
    }

    @Override
    public String path() {
      return open.path();
    }

    @Override
    public String identity() {
      return open.identity();
    }

    @Override
    public long latestSequenceNumber() {
      return open.latestSequenceNumber();
    }

    @Override
    public void flushWal() {
      open.flushWal();
    }

    @Override
    public End pauseDeletions() {
      return open.pauseDeletions();
    }

    @Override
    public <T, E extends Throwable> T useKeys(ScopedValue.CallableOp<T, E> operation) throws E {
      return open.useKeys(operation);
    }
  }

  @Test
  void aBaseHasTheWritesOfItsLineThatEndsBeforeTheyAreStored() throws Exception {
    Path table = folder.resolve("table.sst");
    try (TableWriter writer = TableWriter.create(table, FamilyOptions.defaults())) {
      writer.put(key(2), key(2));
      writer.finish();
    }
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(key(0), key(0));
      ObjectStore store = new AtFirst(FolderStore.open(folder.resolve("store")), () -> db.files().ingest(table));
      try (Archiver archiver = new Archiver(store, new WithoutNumber(new OpenDb(db), () -> db.put(key(1), key(1))), Await.FAST)) {
        Await.archived(db, archiver);
      }
      Archive archive = Archive.in(store);
      for (Archive.Base base : archive.list().bases()) {
        Path restored = folder.resolve("restored-" + base.sequence());
        archive.restore(restored, Target.sequence(base.sequence()));
        try (RocksDb state = RocksDb.open(restored)) {
          assertNotNull(state.get(key(1)), base::toString);
        }
      }
    }
  }
}
