/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Backups;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.DatabaseFiles;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.FlushOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.TableWriter;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests pauses of a database's background work: no operation waits forever because of a pause. */
@ExtendWith(LiveObjectsCheck.class)
final class PauseTest {
  /** Memtables so small that a few rows fill them, and writes wait for a flush. */
  private static final FamilyOptions SMALL_MEMTABLES =
      FamilyOptions.defaults().option("write_buffer_size", 64 << 10).option("max_write_buffer_number", 2);

  /** Limits the files of level 0, so that writes soon wait for a compaction. */
  private static final FamilyOptions FEW_FILES =
      SMALL_MEMTABLES
          .option("level0_file_num_compaction_trigger", 2)
          .option("level0_slowdown_writes_trigger", 3)
          .option("level0_stop_writes_trigger", 4);

  private static final Duration LONG = Duration.ofDays(365);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration DEADLOCK = Duration.ofSeconds(60);

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes();
  }

  private static void fill(RocksDb db) {
    for (int i = 0; i < 500; i++) {
      db.put(key(i), new byte[1000]);
    }
  }

  private static Thread start(Executable work, AtomicReference<Throwable> thrown) {
    return Thread.ofPlatform().start(() -> {
      try {
        work.execute();
      } catch (Throwable e) {
        thrown.set(e);
      }
    });
  }

  private static void awaitStall(RocksDb db) {
    while (db.metrics().longProperty("rocksdb.is-write-stopped").orElse(0) == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void nothingIsFlushedWhileWorkIsPaused() {
    try (RocksDb db =
        RocksDb.at(folder.resolve("db")).defaults(SMALL_MEMTABLES.option("max_write_buffer_number", 100)).open()) {
      try (DatabaseFiles.Pause pause = db.files().pauseWork(LONG)) {
        fill(db);
        assertEquals(List.of(), db.files().live());
        assertTrue(pause.isInEffect());
      }
      db.flushAll();
      db.files().waitForCompact(DEADLOCK);
      assertFalse(db.files().live().isEmpty());
      assertArrayEquals(new byte[1000], db.get(key(0)));
    }
  }

  @Test
  void allThatWouldWaitForTheEndOfAPauseIsRefused() {
    FamilyOptions options = FamilyOptions.defaults();
    Path table = folder.resolve("table.sst");
    try (TableWriter writer = TableWriter.create(table, options)) {
      writer.put(key(1), key(1));
      writer.finish();
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open();
        Backups backups = Backups.open(folder.resolve("backups"))) {
      db.put(key(1), key(1));
      try (DatabaseFiles.Pause pause = db.files().pauseWork(LONG)) {
        for (Executable each :
            List.<Executable>of(
                db::flush,
                db::flushAll,
                () -> db.flush(FlushOptions.defaults().waitForFlush(false)),
                () -> db.compact(KeyRange.all()),
                () -> db.files().waitForCompact(LONG),
                () -> db.files().checkpoint(folder.resolve("checkpoint")),
                () -> backups.create(db),
                () -> backups.create(db, "", progress -> {}),
                () -> db.files().ingest(table),
                () -> db.files().export(folder.resolve("exported")),
                () -> db.files().hold())) {
          IllegalStateException thrown = assertThrowsExactly(IllegalStateException.class, each);
          assertEquals(
              "the background work of database " + db.path()
              + " is paused, and this would wait for its end: close the pause "
                  + "first",
              thrown.getMessage());
        }
        db.files().holdWithLogs().close();
        db.files().suggestCompact(KeyRange.all());
        db.files().syncWal();
        db.createFamily("family", options).put(key(2), key(2));
        db.dropFamily(db.family("family"));
        assertTrue(pause.isInEffect());
      }
      db.flush();
      backups.create(db);
      assertFalse(Files.exists(folder.resolve("checkpoint")));
      assertFalse(Files.exists(folder.resolve("exported")));
    }
  }

  @Test
  void nestedPausesEndWithTheLast() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      DatabaseFiles.Pause first = db.files().pauseWork(LONG);
      DatabaseFiles.Pause second = db.files().pauseWork(LONG);
      first.close();
      first.close();
      assertThrowsExactly(IllegalStateException.class, db::flush);
      assertFalse(first.isInEffect());
      assertTrue(second.isInEffect());
      second.close();
      db.flush();
    }
  }

  @Test
  void aWriterThatWaitsGoesOnWhenThePauseEndsByItself() {
    assertTimeoutPreemptively(DEADLOCK, () -> {
      try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(SMALL_MEMTABLES).open();
          DatabaseFiles.Pause pause = db.files().pauseWork(SOON)) {
        fill(db); // on the thread that started the pause
        assertFalse(pause.isInEffect());
        db.flush();
        pause.close();
      }
    });
  }

  @Test
  void aCloseEndsThePauseThatAWriterWaitsFor() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    RocksDb db = RocksDb.at(folder.resolve("db")).defaults(SMALL_MEMTABLES).open();
    DatabaseFiles.Pause pause = db.files().pauseWork(LONG);
    Thread writer = start(() -> fill(db), thrown);
    awaitStall(db);
    assertTimeoutPreemptively(DEADLOCK, db::close);
    writer.join();
    assertTrue(thrown.get() == null || thrown.get().getMessage().endsWith("is closed"), () -> "" + thrown.get());
    assertFalse(pause.isInEffect());
    pause.close();
  }

  @Test
  void aCloseOfAPausedDatabaseWritesItsMemtables() {
    Path path = folder.resolve("db");
    RocksDb db = RocksDb.open(path);
    DatabaseFiles.Pause pause = db.files().pauseWork(LONG);
    DatabaseFiles.Pause manual = db.files().pauseManualCompactions();
    db.with(WriteOptions.defaults().disableWal(true)).put(key(1), key(1));
    assertTimeoutPreemptively(DEADLOCK, db::close);
    pause.close();
    manual.close();
    try (RocksDb again = RocksDb.open(path)) {
      assertArrayEquals(key(1), again.get(key(1)));
    }
  }

  @Test
  void aWriterThatWaitsForCompactionsGoesOnWhenThePauseEndsByItself() {
    assertTimeoutPreemptively(DEADLOCK, () -> {
      try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(FEW_FILES).open();
          DatabaseFiles.Pause pause = db.files().abortCompactions(SOON)) {
        fill(db);
        fill(db); // waits because of the number of files
        assertFalse(pause.isInEffect());
        pause.close();
      }
    });
  }

  @Test
  void aCloseEndsThePauseOfCompactionsThatAWriterWaitsFor() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicInteger written = new AtomicInteger();
    RocksDb db = RocksDb.at(folder.resolve("db")).defaults(FEW_FILES).open();
    DatabaseFiles.Pause pause = db.files().abortCompactions(LONG);
    Thread writer = start(
        () -> {
          for (int i = 0; ; i = written.incrementAndGet()) {
            db.put(key(i % 500), new byte[1000]);
          }
        },
        thrown);
    awaitStall(db);
    for (int before = -1; before != written.get(); ) { // until a write waits
      before = written.get();
      Thread.sleep(200);
    }
    assertTimeoutPreemptively(DEADLOCK, db::close);
    writer.join();
    assertTrue(thrown.get().getMessage().endsWith("is closed"), () -> "" + thrown.get());
    assertFalse(pause.isInEffect());
    pause.close();
  }

  @Test
  void compactionsOfAllKindsStopAndStartAgainWhenTheLastPauseIsClosed() {
    FamilyOptions options = FamilyOptions.defaults().option("level0_file_num_compaction_trigger", 2);
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open()) {
      try (DatabaseFiles.Pause first = db.files().abortCompactions(LONG)) {
        try (DatabaseFiles.Pause second = db.files().abortCompactions(LONG)) {
          for (int i = 0; i < 4; i++) {
            db.put(key(0), key(i));
            db.flush();
          }
          assertTrue(first.isInEffect() && second.isInEffect());
        }
        assertThrowsExactly(IllegalStateException.class, () -> db.compact(KeyRange.all()));
        assertEquals(4, db.files().levels().get(0).files().size());
      }
      db.files().waitForCompact(DEADLOCK);
      assertTrue(db.files().levels().get(0).files().size() < 2);
      assertArrayEquals(key(3), db.get(key(0)));
    }
  }

  /** The engine would start it only after the next flush, which may wait for the number of files to fall. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAbortedCompactionStartsAgainAfterThePause(boolean orderedInJava) throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    AtomicBoolean isFast = new AtomicBoolean();
    FamilyOptions slow =
        FamilyOptions.defaults().compactionFilter("slow", _ -> (_, _, _) -> {
          started.countDown();
          LockSupport.parkNanos(isFast.get() ? 0 : 100_000);
          return CompactionFilter.Decision.KEEP;
        });
    FamilyOptions options = orderedInJava ? slow.keyOrder("six digits", comparingSixDigits()) : slow;
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open()) {
      for (int file = 0; file < 4; file++) {
        for (int i = 0; i < 10_000; i++) {
          db.put(key(i), key(file));
        }
        db.flush();
      }
      started.await();
      db.files().abortCompactions(LONG).close();
      isFast.set(true);
      db.files().waitForCompact(DEADLOCK);
      assertEquals(List.of(), db.files().levels().get(0).files());
    }
  }

  /** Returns a comparator that accepts only keys of six digits. */
  private static KeyComparator comparingSixDigits() {
    return (a, b) -> {
      if (a.size() != 6 || b.size() != 6) {
        throw new IllegalArgumentException("a key of " + a.size() + " or " + b.size() + " bytes");
      }
      return a.compareTo(b);
    };
  }

  @Test
  void aFlushThatBeganBeforeIsOverWhenThePauseBegins() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      for (int round = 0; round < 20; round++) {
        db.put(key(round), new byte[10_000]);
        CountDownLatch started = new CountDownLatch(1);
        Thread flush = start(() -> {
          started.countDown();
          db.flush();
        }, thrown);
        started.await();
        try (DatabaseFiles.Pause pause = db.files().pauseWork(SOON)) {
          assertEquals("0", db.metrics().property("rocksdb.num-running-flushes"));
        }
        flush.join();
        boolean isRefused = thrown.get() instanceof IllegalStateException e && e.getMessage().contains("is paused");
        assertTrue(thrown.get() == null || isRefused, () -> "" + thrown.get());
      }
    }
  }

  /** A copy blocks writes without WAL; if it waited for a pause whose owner writes so, both would wait forever. */
  @ParameterizedTest
  @EnumSource(Copy.class)
  void aPauseStartsAfterTheFlushOfACopy(Copy copy) throws Exception {
    assertFalse(startsWithinFlush(copy, _ -> null));
  }

  /** The flush may wait for compactions, and these for the thread that wants the pause. */
  @ParameterizedTest
  @EnumSource(Copy.class)
  void aPauseWaitsForNoCopyWhileCompactionsArePaused(Copy copy) throws Exception {
    assertTrue(startsWithinFlush(copy, db -> db.files().abortCompactions(LONG)));
  }

  /** Returns whether a pause starts while a copy flushes, which waits for a write. */
  private boolean startsWithinFlush(Copy copy, Function<RocksDb, DatabaseFiles.Pause> before) throws Exception {
    CountDownLatch merging = new CountDownLatch(1);
    CountDownLatch mayMerge = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean isWithin = new AtomicBoolean();
    FamilyOptions options =
        FamilyOptions.defaults()
            .option("max_successive_merges", 1) // a further merge is executed within the write
            .mergeOperator("blocking", (key, value, operands) -> {
              merging.countDown();
              assertDoesNotThrow(() -> mayMerge.await());
              return key.toArray();
            });
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open();
        DatabaseFiles.Pause _ = before.apply(db)) {
      db.merge(key(1), key(1));
      Thread writer = start(() -> db.merge(key(1), key(1)), thrown);
      merging.await(); // a flush waits for this write
      Thread copying = start(() -> copy.make(db, folder), thrown);
      awaitFlush(copying);
      Thread pausing = start(() -> {
        try (DatabaseFiles.Pause _ = db.files().pauseWork(LONG)) {
          isWithin.set(isInFlush(copying));
        }
      }, thrown);
      while (pausing.getState() != Thread.State.WAITING && pausing.isAlive()) {
        Thread.onSpinWait();
      }
      mayMerge.countDown();
      for (Thread each : List.of(writer, copying, pausing)) {
        each.join();
      }
      assertEquals(null, thrown.get());
      return isWithin.get();
    }
  }

  private enum Copy {
    HOLD {
      @Override
      void make(RocksDb db, Path folder) {
        db.files().hold().close();
      }
    },
    CHECKPOINT {
      @Override
      void make(RocksDb db, Path folder) {
        db.files().checkpoint(folder.resolve("checkpoint"));
      }
    },
    BACKUP {
      @Override
      void make(RocksDb db, Path folder) {
        try (Backups backups = Backups.open(folder.resolve("backups"))) {
          backups.create(db);
        }
      }
    };

    abstract void make(RocksDb db, Path folder);
  }

  private static void awaitFlush(Thread copying) {
    while (!isInFlush(copying)) {
      assertTrue(copying.isAlive());
      Thread.onSpinWait();
    }
  }

  private static boolean isInFlush(Thread thread) {
    return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("rocksdb_flush_cfs"));
  }

  @Test
  void aManualCompactionIsStoppedAndSaysSo() throws Exception {
    Path path = folder.resolve("db");
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    CompactionFilter waiting = (level, key, value) -> {
      started.countDown();
      try {
        stopped.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return CompactionFilter.Decision.KEEP;
    };
    FamilyOptions slow =
        FamilyOptions.defaults().option("disable_auto_compactions", true)
            .compactionFilter("slow", compaction -> waiting);
    try (RocksDb db = RocksDb.at(path).defaults(slow).open()) {
      for (int i = 0; i < 3; i++) {
        fill(db);
        db.flush();
      }
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread compaction = start(() -> db.compact(KeyRange.all()), thrown);
      started.await();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread pausing = start(() -> {
        try (DatabaseFiles.Pause pause = db.files().pauseManualCompactions()) {
          assertThrowsExactly(IllegalStateException.class, () -> db.compact(KeyRange.all()));
          assertThrowsExactly(IllegalStateException.class, () -> db.files().compact(db.files().live(), 1));
          db.flush();
          db.files().waitForCompact(DEADLOCK);
        }
      }, failure);
      List<FamilyFiles.LiveFile> busy = db.files().live();
      try {
        while (!isPaused(() -> db.files().compact(busy, 1))) {
          Thread.onSpinWait();
        }
      } finally {
        stopped.countDown();
      }
      compaction.join();
      pausing.join();
      assertEquals(null, failure.get());
      RocksDbException incomplete = (RocksDbException) thrown.get();
      assertEquals(Code.INCOMPLETE, incomplete.code());
      assertEquals(SubCode.MANUAL_COMPACTION_PAUSED, incomplete.subCode());
      db.compact(KeyRange.all());
      assertEquals(0, db.files().levels().get(0).files().size());
    }
  }

  /** Returns whether manual compactions are paused; otherwise another compaction uses the files. */
  private static boolean isPaused(Executable compaction) {
    try {
      compaction.execute();
      throw new AssertionError("the files are not in use");
    } catch (RocksDbException e) {
      assertTrue(e.code() == Code.ABORTED || e.code() == Code.INCOMPLETE, e.getMessage());
      return e.code() == Code.INCOMPLETE; // the pause started after the library's check
    } catch (IllegalStateException e) {
      return true;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPauseIsLongerThanNothingAndNoLongerThanAYear() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      for (Duration each :
          List.of(Duration.ZERO, Duration.ofNanos(-1), LONG.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
        IllegalArgumentException thrown =
            assertThrowsExactly(IllegalArgumentException.class, () -> db.files().pauseWork(each));
        assertEquals(
            "atMost: " + each + ", but it must be longer than nothing, and up to PT8760H", thrown.getMessage());
      }
      db.files().pauseWork(Duration.ofNanos(1)).close();
      db.flush();
    }
  }

  @Test
  void aPauseIsNotClosedByACallbackOfItsDatabase() throws Exception {
    AtomicReference<DatabaseFiles.Pause> pause = new AtomicReference<>();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    FamilyOptions options = FamilyOptions.defaults().mergeOperator("closes", (key, value, operands) -> {
      try {
        pause.get().close();
      } catch (Throwable e) {
        thrown.set(e);
      }
      return key.toArray();
    });
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open()) {
      pause.set(db.files().pauseWork(LONG));
      db.merge(key(1), key(1));
      assertArrayEquals(key(1), db.get(key(1)));
      assertEquals(IllegalStateException.class, thrown.get().getClass());
      assertTrue(pause.get().isInEffect());
      pause.get().close();
      db.flush();
    }
  }

  @Test
  void aPauseThatIsClosedWhileItsDatabaseIsBeingClosedIsNotInEffect() throws Exception {
    RocksDb db = RocksDb.open(folder.resolve("db"));
    db.put(key(1), key(1));
    DatabaseFiles.Pause pause = db.files().pauseDeletions();
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch checked = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread reader = start(
        () -> db.get(key(1), value -> {
          reading.countDown();
          return assertDoesNotThrow(() -> checked.await(60, TimeUnit.SECONDS));
        }),
        thrown);
    reading.await();
    Thread closer = start(db::close, thrown);
    awaitRefusal(db);
    pause.close();
    boolean isInEffect = pause.isInEffect();
    checked.countDown();
    reader.join();
    closer.join();
    assertFalse(isInEffect);
  }

  private static void awaitRefusal(RocksDb db) {
    try {
      while (true) {
        db.get(key(1));
      }
    } catch (IllegalStateException closing) {
      return;
    }
  }
}
