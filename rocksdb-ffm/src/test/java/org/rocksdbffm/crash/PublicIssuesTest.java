/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;

/**
 * Tests that crashes and leaks reported by users of RocksDB's Java binding do not occur with this library. Issue
 * numbers without a project refer to facebook/rocksdb.
 */
@ExtendWith(LiveObjectsCheck.class)
final class PublicIssuesTest {
  private static final byte[] KEY = bytes("key");
  private static final byte[] VALUE = Bytes.random(5000, 1);
  private static final int ROUNDS = 300;

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void chooseFolder() {
    folder = temporary.resolve("db");
  }

  private RocksDb open() {
    RocksDb db = RocksDb.open(folder);
    db.put(KEY, VALUE);
    return db;
  }

  private static void closed(String what, Executable use) {
    String message = assertThrowsExactly(IllegalStateException.class, use).getMessage();
    assertTrue(message.matches("(?s)" + what + ".* is (closed|released).*"), message);
  }

  // Leaks: unclosed objects, and native objects that the binding itself does not free.

  @Test
  @DisplayName(
      "#9962, #12020, #12198, #1059, apache/kafka#12935, #12925: what is forgotten is reclaimed, without a finalizer")
  void whatIsForgottenIsReclaimed() throws Exception {
    try (RocksDb db = open()) {
      forget(db);
      for (int i = 0; i < 200 && LiveObjects.ITERATORS.count() + LiveObjects.SNAPSHOTS.count() > 0; i++) {
        LiveObjectsCheck.collect();
      }
      assertEquals(0, LiveObjects.ITERATORS.count());
      assertEquals(0, LiveObjects.SNAPSHOTS.count());
    }
  }

  private static void forget(RocksDb db) {
    for (int i = 0; i < ROUNDS; i++) {
      db.cursor().first();
      db.snapshot().get(KEY);
    }
  }

  @Test
  @DisplayName("#11142: options and readers need no close, and do not depend on the collector's haste")
  void optionsAndReadersNeedNoClose() throws Exception {
    try (RocksDb db = open()) {
      for (int i = 0; i < ROUNDS; i++) {
        assertArrayEquals(VALUE, db.with(ReadOptions.defaults().fillCache(false)).get(KEY));
        db.with(WriteOptions.defaults().lowPriority(true)).put(KEY, VALUE);
      }
    }
    awaitFew(LiveObjects.READ_OPTIONS, ROUNDS / 10);
    awaitFew(LiveObjects.WRITE_OPTIONS, ROUNDS / 10);
  }

  private static void awaitFew(LiveObjects kind, long few) throws InterruptedException {
    for (int i = 0; i < 200 && kind.count() > few; i++) {
      LiveObjectsCheck.collect();
    }
    assertTrue(kind.count() <= few, kind + ": " + kind.count());
  }

  @Test
  @DisplayName("apache/kafka#22378: families and their options need no close of their own")
  void familiesNeedNoCloseOfTheirOwn() {
    for (int i = 0; i < 5; i++) {
      try (RocksDb db = RocksDb.open(folder)) {
        db.createFamily("family" + i, FamilyOptions.defaults().writeBufferSize(ByteSize.mib(1)));
      }
    }
    assertEquals(0, LiveObjects.COLUMN_FAMILIES.count());
  }

  @Test
  @DisplayName("#15036: a database's own default options go with it")
  void aDatabasesOwnOptionsGoWithIt() throws Exception {
    for (int i = 0; i < 30; i++) {
      open().close();
    }
    awaitFew(LiveObjects.READ_OPTIONS, 6);
    awaitFew(LiveObjects.WRITE_OPTIONS, 6);
  }

  @Test
  @DisplayName("#10980: a multi-get into buffers leaves nothing")
  void aMultiGetLeavesNothing() {
    try (RocksDb db = open()) {
      for (int i = 0; i < ROUNDS; i++) {
        MultiGet request = db.multiGet().add(MemorySegment.ofArray(KEY)).add(bytes("absent"));
        try (PinnedValues values = request.get()) {
          assertArrayEquals(VALUE, values.get(0));
        }
      }
      assertEquals(0, db.pins().count());
      assertEquals(0, LiveObjects.PIN_ARRAYS.bytes());
    }
  }

  @Test
  @DisplayName("#1890: whatever fails on its way leaves nothing")
  void whatFailsLeavesNothing() {
    try (RocksDb db = open()) {
      for (int i = 0; i < ROUNDS; i++) {
        Arena closedArena = Arena.ofConfined();
        closedArena.close();
        assertThrowsExactly(IllegalStateException.class, () -> db.get(KEY, closedArena));
        assertThrowsExactly(ArithmeticException.class, () -> db.get(KEY, value -> 1 / (int) (value.byteSize() - 5000)));
        assertThrowsExactly(RocksDbException.class, () -> db.createFamily("default", FamilyOptions.defaults()));
        assertThrowsExactly(IllegalArgumentException.class,
            () -> db.setOptions(Map.of("write_buffer_size", "no number")));
        assertThrowsExactly(RocksDbException.class, () -> db.setOptions(Map.of()));
        assertThrowsExactly(RocksDbException.class, () -> RocksDb.open(folder));
      }
      assertEquals(0, db.pins().count());
      assertEquals(0, LiveObjects.LARGE_BUFFERS.bytes());
    }
  }

  // Crashes: use after close, and a close while others use it.

  @Test
  @DisplayName("#5234: a cursor of a closed database says so")
  void aCursorOfAClosedDatabaseSaysSo() {
    RocksDb db = open();
    Cursor cursor = db.cursor();
    cursor.first();
    db.close();
    closed("database ", cursor::value);
    closed("database ", cursor::next);
    cursor.close();
  }

  @Test
  @DisplayName("#3355, apache/ozone#3801, typedb/typedb#6415: writes and reads while it closes end well, or are told")
  void writesAndReadsWhileItClosesAreTold() throws Exception {
    for (int round = 0; round < 20; round++) {
      RocksDb db = open();
      race(
          db,
          () -> assertArrayEquals(VALUE, db.get(KEY)),
          () -> db.put(bytes("other"), VALUE),
          () -> db.multiGet(List.of(KEY, KEY)),
          () -> db.delete(bytes("other")));
    }
  }

  /** Repeats each use on a thread until it throws because the database was closed. */
  private static void race(RocksDb db, Runnable... uses) throws Exception {
    CountDownLatch busy = new CountDownLatch(uses.length);
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (Runnable use : uses) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) {
                        use.run();
                        busy.countDown();
                      }
                    } catch (IllegalStateException e) {
                      if (!e.getMessage().contains(" is closed")) {
                        wrong.set(e);
                      }
                    } catch (Throwable e) {
                      wrong.set(e);
                    } finally {
                      busy.countDown();
                    }
                  }));
    }
    busy.await();
    db.close();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(null, wrong.get());
  }

  @Test
  @DisplayName("#5682: an iteration with bounds, whose options nobody holds, while the collector runs")
  void anIterationOwnsItsOptionsAndBounds() {
    try (RocksDb db = open()) {
      for (int i = 0; i < 100; i++) {
        db.put(bytes("row%03d".formatted(i)), VALUE);
      }
      try (Scan scan = db.with(ReadOptions.defaults().readahead(ByteSize.kib(4))).scan(KeyRange.prefix(bytes("row")))) {
        for (int i = 0; i < 100; i++) {
          assertTrue(scan.next());
          if (i % 20 == 0) {
            System.gc();
          }
        }
        assertTrue(!scan.next());
      }
    }
  }

  @Test
  @DisplayName("#9306, #7948, #370: every use of a closed database is told, and the JVM lives")
  void everyUseOfAClosedDatabaseIsTold() {
    RocksDb db = open();
    ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
    db.close();
    closed("database ", () -> db.get(KEY));
    closed("database ", () -> db.put(KEY, VALUE));
    closed("database ", () -> family.get(KEY));
    closed("database ", db::cursor);
    closed("database ", db::snapshot);
    closed("database ", () -> db.metrics().property("rocksdb.stats"));
    closed("database ", () -> db.createFamily("new", FamilyOptions.defaults()));
  }

  @Test
  @DisplayName("apache/samza#334: a flush of a closed database says so, and a second close does nothing")
  void aFlushOfAClosedDatabaseSaysSo() {
    RocksDb db = open();
    db.close();
    closed("database ", db::flush);
    closed("database ", () -> db.files().syncWal());
    db.close();
  }

  @Test
  @DisplayName("camunda/camunda#7889: snapshots are taken and closed while the database closes")
  void snapshotsWhileItCloses() throws Exception {
    for (int round = 0; round < 20; round++) {
      RocksDb db = open();
      Snapshot early = db.snapshot();
      race(
          db,
          () -> {
            try (Snapshot snapshot = db.snapshot()) {
              assertArrayEquals(VALUE, snapshot.get(KEY));
            }
          },
          () -> db.snapshot().close());
      early.close();
    }
  }

  @Test
  @DisplayName("besu-eth/besu#4829: the process ends while calls are in progress")
  void theProcessEndsWhileCallsAreInProgress() {
    ChildJvm.of(CrashCases.class).run("exitWithCallsInFlight").assertExit(0);
  }

  @Test
  @DisplayName("crawler-commons/url-frontier#17: iterators are opened while the database closes")
  void iteratorsAreOpenedWhileItCloses() throws Exception {
    for (int round = 0; round < 20; round++) {
      RocksDb db = open();
      race(
          db,
          () -> {
            try (Cursor cursor = db.cursor()) {
              cursor.first();
            }
          },
          () -> db.stream(KeyRange.all(), Row::keyBytes).count());
    }
  }

  // The order of closes.

  @Test
  @DisplayName("#974, #2533, #636, #1076, #7428: families may be closed after their database, before it, or not at all")
  void familiesAreClosedInAnyOrder() {
    for (int round = 0; round < 10; round++) {
      RocksDb db = open();
      ColumnFamily first = db.createFamily("first" + round, FamilyOptions.defaults());
      ColumnFamily second = db.createFamily("second" + round, FamilyOptions.defaults());
      second.put(KEY, VALUE);
      first.close();
      db.close();
      second.close();
      first.close();
    }
  }

  @Test
  @DisplayName(
      "#2687, apache/samza#513, #13132: cursors, scans and snapshots after their database, options at any time")
  void childrenMayBeClosedAfterTheirDatabase() {
    BlockCache cache = BlockCache.lru(ByteSize.mib(1));
    RocksDb db =
        RocksDb.at(folder).defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache))).open();
    db.put(KEY, VALUE);
    cache.close(); // the database has a share of the cache
    Cursor cursor = db.cursor();
    Scan scan = db.scan(KeyRange.all());
    Snapshot snapshot = db.snapshot();
    PinnedValue pinned = db.getPinned(KEY);
    db.close();
    assertArrayEquals(VALUE, pinned.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    snapshot.close();
    scan.close();
    cursor.close();
    pinned.close();
  }

  // Objects that are garbage-collected while native code still uses them.

  @Test
  @DisplayName("#9378, Alluxio/alluxio#13340, #13098: bounds and options of an iteration live as long as it does")
  void boundsLiveAsLongAsTheIteration() {
    try (RocksDb db = open()) {
      for (int i = 0; i < 50; i++) {
        db.put(bytes("b%02d".formatted(i)), KEY);
      }
      try (Cursor cursor = boundedCursor(db)) {
        for (int round = 0; round < 10; round++) {
          System.gc();
          int rows = 0;
          for (boolean found = cursor.first(); found; found = cursor.next()) {
            rows++;
          }
          assertEquals(30, rows, "rows within the bounds");
        }
      }
    }
  }

  /** Opens a cursor, and overwrites and drops its bounds, so that only the library can retain them. */
  private static Cursor boundedCursor(RocksDb db) {
    byte[] from = bytes("b10");
    byte[] until = bytes("b40");
    Cursor cursor = db.with(ReadOptions.defaults().fillCache(false)).cursor(KeyRange.between(from, until));
    from[0] = until[0] = 'z';
    return cursor;
  }

  @Test
  @DisplayName("#4579: what a database was opened with may be forgotten")
  void whatADatabaseWasOpenedWithMayBeForgotten() {
    try (RocksDb db = openWithForgottenCache()) {
      for (int i = 0; i < 20; i++) {
        System.gc();
        db.put(bytes("row" + i), VALUE);
        db.flush();
        assertArrayEquals(VALUE, db.get(bytes("row" + i)));
      }
    }
  }

  private RocksDb openWithForgottenCache() {
    TableOptions table =
        TableOptions.defaults().blockCache(BlockCache.hyperClock(ByteSize.mib(1))).filter(TableFilter.bloom(10));
    return RocksDb.at(folder)
        .defaults(FamilyOptions.defaults().table(table).mergeOperator(MergeOperator.stringAppend(','))).open();
  }

  @Test
  @DisplayName("#6608: a key order is the engine's own, and no object that could be collected")
  void aKeyOrderIsNoObjectToBeCollected() {
    FamilyOptions reverse = FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE);
    try (RocksDb db = RocksDb.at(folder).defaults(reverse).open()) {
      for (int i = 0; i < 50; i++) {
        db.put(bytes("k%02d".formatted(i)), KEY);
        if (i % 10 == 0) {
          System.gc();
        }
      }
      try (Cursor cursor = db.cursor()) {
        assertTrue(cursor.first());
        assertEquals("k49", new String(cursor.keyBytes()));
      }
    }
  }

  @Test
  @DisplayName("#9378: a key in native memory that is freed right after the call")
  void aKeyMayBeFreedRightAfterTheCall() {
    try (RocksDb db = open()) {
      Cursor cursor = db.cursor();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment key = arena.allocateFrom("kez");
        cursor.seekForPrevious(key);
      }
      assertArrayEquals(KEY, cursor.keyBytes());
      cursor.close();
    }
  }
}
