/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.keys;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.keys;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests Java comparators: their key order, and the handling of comparators that throw, change, or are inconsistent. */
@ExtendWith(LiveObjectsCheck.class)
final class KeyComparatorTest {
  private static final KeyComparator BY_LENGTH =
      (a, b) -> a.size() == b.size() ? a.compareTo(b) : Long.compare(a.size(), b.size());

  @TempDir Path folder;

  private RocksDb open(FamilyOptions options) {
    return RocksDb.at(folder.resolve("db")).defaults(options).open();
  }

  @Test
  void keysAreInTheOrderOfTheComparatorInMemoryOnDiskAndAfterReopening() {
    FamilyOptions options = FamilyOptions.defaults().keyOrder("by length", BY_LENGTH);
    List<String> expected = List.of("c", "bb", "bc", "aaa");
    try (RocksDb db = open(options)) {
      expected.reversed().forEach(key -> db.put(bytes(key), bytes("v" + key)));
      assertEquals(expected, keys(db));
      db.flush();
      assertEquals(expected, keys(db));
      db.compact(KeyRange.all());
    }
    try (RocksDb db = open(options)) {
      assertEquals(expected, keys(db));
      expected.forEach(key -> assertEquals("v" + key, text(db.get(bytes(key)))));
    }
  }

  @Test
  void eachColumnFamilyHasItsOwnComparator() {
    try (RocksDb db = open(FamilyOptions.defaults())) {
      ColumnFamily shortest = db.createFamily("shortest", FamilyOptions.defaults().keyOrder("by length", BY_LENGTH));
      for (String key : List.of("aaa", "b")) {
        db.put(bytes(key), bytes(key));
        shortest.put(bytes(key), bytes(key));
      }
      assertEquals(List.of("aaa", "b"), keys(db));
      assertEquals(List.of("b", "aaa"), keys(shortest));
      db.dropFamily(shortest);
      shortest.close();
    }
  }

  @Test
  void aRangeOfDeletionsIsCheckedByTheComparator() {
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH))) {
      db.put(bytes("b"), bytes("1"));
      db.deleteRange(bytes("b"), bytes("aa"));
      assertEquals(List.of(), keys(db));
      assertThrows(IllegalArgumentException.class, () -> db.deleteRange(bytes("aa"), bytes("b")));
      WriteBatch batch = new WriteBatch();
      batch.deleteRange(bytes("aa"), bytes("b"));
      assertThrows(IllegalArgumentException.class, () -> db.write(batch));
    }
  }

  @Test
  void aRangeOfDeletionsThatTheComparatorCannotCheckIsNotWritten() {
    RuntimeException broken = new RuntimeException("broken");
    boolean[] breaks = {false};
    KeyComparator breaking =
        (a, b) -> {
          if (breaks[0]) {
            throw broken;
          }
          return a.compareTo(b);
        };
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("breaking", breaking))) {
      db.put(bytes("b"), bytes("1"));
      breaks[0] = true;
      RuntimeException thrown =
          assertThrows(IllegalStateException.class, () -> db.deleteRange(bytes("a"), bytes("c")));
      assertSame(broken, thrown.getCause());
      breaks[0] = false;
    }
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("breaking", breaking))) {
      assertEquals(List.of("b"), keys(db));
    }
  }

  @Test
  void anotherComparatorThanThatOfTheDatabaseIsRefused() {
    open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH)).close();
    assertThrows(RocksDbException.class, () -> open(FamilyOptions.defaults()));
    assertThrows(RocksDbException.class, () -> open(FamilyOptions.defaults().keyOrder("another", BY_LENGTH)));
    open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH)).close();
  }

  @Test
  void theNamesOfTheEnginesOwnOrdersAreRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> FamilyOptions.defaults().keyOrder("leveldb.BytewiseComparator", BY_LENGTH));
    assertEquals(
        "name: 'leveldb.BytewiseComparator' is the engine's own order; keyOrder(BYTEWISE)", refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().keyOrder(" ", BY_LENGTH));
    assertThrows(IllegalArgumentException.class, () -> FamilyOptions.defaults().keyOrder("a\0b", BY_LENGTH));
  }

  @Test
  void whatIsSetLastCounts() {
    FamilyOptions options = FamilyOptions.defaults().keyOrder("by length", BY_LENGTH).keyOrder(KeyOrder.BYTEWISE);
    try (RocksDb db = open(options)) {
      db.put(bytes("aa"), bytes(""));
      db.put(bytes("b"), bytes(""));
      assertEquals(List.of("aa", "b"), keys(db));
    }
    assertEquals(FamilyOptions.defaults().keyOrder(KeyOrder.BYTEWISE), options);
    assertEquals(Map.of(),
        FamilyOptions.defaults().keyOrder(KeyOrder.BYTEWISE).keyOrder("by length", BY_LENGTH).settings());
    assertEquals("comparator=by length in Java;", FamilyOptions.defaults().keyOrder("by length", BY_LENGTH).toString());
  }

  @Test
  void aComparatorThatThrowsStopsTheDatabaseAndLosesNothing() {
    RuntimeException broken = new RuntimeException("broken");
    boolean[] breaks = {false};
    FamilyOptions options =
        FamilyOptions.defaults().keyOrder(
            "by length",
            (a, b) -> {
              if (breaks[0]) {
                throw broken;
              }
              return BY_LENGTH.compare(a, b);
            });
    try (RocksDb db = open(options)) {
      db.put(bytes("b"), bytes("1"));
      db.put(bytes("aa"), bytes("2"));
      try (Cursor cursor = db.cursor()) {
        breaks[0] = true;
        IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> db.put(bytes("ccc"), bytes("3")));
        assertSame(broken, thrown.getCause());
        assertEquals(
            "database " + folder.resolve("db")
                + " has stopped, because the comparator 'by length' threw: close it and open it again",
            thrown.getMessage());
        breaks[0] = false;
        for (Runnable later :
            List.<Runnable>of(
                () -> db.get(bytes("b")),
                () -> db.put(bytes("b"), bytes("new")),
                db::flush,
                () -> db.compact(KeyRange.all()),
                () -> cursor.seek(bytes("b")),
                cursor::first,
                db::snapshot)) {
          assertSame(broken, assertThrows(IllegalStateException.class, later::run).getCause());
        }
      }
    }
    try (RocksDb db = open(options)) {
      assertEquals("1", text(db.get(bytes("b"))));
      assertEquals("2", text(db.get(bytes("aa"))));
      List<String> keys = keys(db);
      assertTrue(keys.equals(List.of("b", "aa")) || keys.equals(List.of("b", "aa", "ccc")), keys.toString());
    }
  }

  /**
   * Throws at each of many points of puts, flushes, compactions, reads and openings; acknowledged writes are preserved.
   */
  @Test
  void aComparatorThatThrowsAtAnyMomentPutsNothingOutOfOrder() {
    int[] left = {Integer.MAX_VALUE};
    FamilyOptions options =
        FamilyOptions.defaults()
            .option("level0_file_num_compaction_trigger", 2)
            .keyOrder(
                "by length",
                (a, b) -> {
                  if (left[0]-- == 0) {
                    throw new IllegalStateException("at this moment");
                  }
                  return BY_LENGTH.compare(a, b);
                });
    Map<String, String> expected =
        new TreeMap<>((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length());
    int stopped = 0;
    for (int round = 0; round < 60; round++) {
      left[0] = round * 37 % 700;
      try (RocksDb db = open(options)) {
        for (int i = 0; i < 40; i++) {
          String key = "k".repeat(1 + i * 7 % 5) + i;
          db.put(bytes(key), bytes("r" + round));
          expected.put(key, "r" + round);
        }
        db.flush();
        db.compact(KeyRange.all());
      } catch (IllegalStateException e) {
        stopped++;
      }
      left[0] = Integer.MAX_VALUE;
      try (RocksDb db = open(options)) {
        assertEquals(expected.keySet().size(), keys(db).size() - unacknowledged(db, expected), "round " + round);
        expected.keySet().forEach(key -> assertTrue(db.get(bytes(key)) != null, key));
        assertInOrder(keys(db));
        keys(db).forEach(key -> expected.put(key, text(db.get(bytes(key)))));
      }
    }
    assertTrue(stopped > 30, stopped + " rounds were stopped");
  }

  private static int unacknowledged(RocksDb db, Map<String, String> expected) {
    return (int) keys(db).stream().filter(key -> !expected.containsKey(key)).count();
  }

  private static void assertInOrder(List<String> keys) {
    List<String> sorted = new ArrayList<>(keys);
    sorted.sort((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length());
    assertEquals(sorted, keys);
  }

  @Test
  void theRowsOfAFlushAreNotLostWhereTheOrderIsLostWithinIt() {
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    FamilyOptions broken =
        FamilyOptions.defaults().keyOrder(
            "bytes",
            (a, b) -> {
              if (left.decrementAndGet() < 0) {
                throw new IllegalArgumentException("the order ends");
              }
              return a.compareTo(b);
            });
    int rows = 20;
    for (int answers : List.of(0, 1, 7, 18)) {
      left.set(Integer.MAX_VALUE);
      try (RocksDb db = open(broken)) {
        IntStream.range(0, rows).forEach(row -> db.put(bytes("key" + row), bytes("value" + row)));
        left.set(answers);
        db.flush();
      } catch (IllegalStateException stopped) {
        assertTrue(stopped.getMessage().contains("'bytes' threw"), stopped.getMessage());
      }
      try (RocksDb db = open(FamilyOptions.defaults().keyOrder("bytes", (a, b) -> a.compareTo(b)))) {
        for (int row = 0; row < rows; row++) {
          assertEquals("value" + row, text(db.get(bytes("key" + row))));
        }
      }
      RocksDb.destroy(folder.resolve("db"));
    }
  }

  @Test
  void aDatabaseIsNotOpenedWithAComparatorThatThrows() {
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH))) {
      for (int i = 0; i < 100; i++) {
        db.put(bytes("key" + i), bytes("" + i));
      }
    }
    FamilyOptions broken =
        FamilyOptions.defaults().keyOrder(
            "by length",
            (a, b) -> {
              throw new UnsupportedOperationException();
            });
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> open(broken));
    assertEquals(UnsupportedOperationException.class, refused.getCause().getClass());
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH))) {
      assertEquals(100, keys(db).size());
    }
  }

  @Test
  void anOrderThatHasChangedUnderItsNameIsRefused() {
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("bytes", ByteView::compareTo))) {
      db.put(bytes("a"), bytes("0"));
      db.flush();
      db.put(bytes("a"), bytes("1"));
      db.put(bytes("z"), bytes("2"));
      db.flush();
      db.put(bytes("z"), bytes("2"));
      db.flush();
    }
    FamilyOptions changed = FamilyOptions.defaults().keyOrder("bytes", (a, b) -> b.compareTo(a));
    for (Callable<RocksDb> opening :
        List.<Callable<RocksDb>>of(() -> open(changed),
            () -> RocksDb.at(folder.resolve("db")).defaults(changed).openReadOnly())) {
      IllegalStateException refused = assertThrows(IllegalStateException.class, opening::call);
      assertTrue(
          refused.getMessage().matches(
              "database .*db was not opened: file /\\d+.sst begins with 0x61 and ends with 0x7a, but for the "
              + "comparator "
                  + "'bytes' the last comes before the first; open it with the order that it was written in, and give "
                  + "another order another name"),
          refused.getMessage());
    }
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("bytes", ByteView::compareTo))) {
      assertEquals(List.of("a", "z"), keys(db));
    }
  }

  @Test
  void anOrderThatGoesInCirclesStopsTheDatabase() {
    KeyComparator circular = (a, b) -> Integer.signum((a.get(0) - b.get(0) + 4) % 3 - 1);
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("rock, paper, scissors", circular))) {
      IllegalStateException stopped =
          assertThrows(
              IllegalStateException.class,
              () -> {
                while (true) {
                  for (byte key = 0; key < 3; key++) {
                    db.put(new byte[] {key}, bytes("v"));
                  }
                }
              });
      assertTrue(
          stopped.getCause().getMessage().matches(
              "the comparator 'rock, paper, scissors' goes in circles: 0x0. comes before 0x0., that before 0x0., and "
                  + "that before the first again"),
          stopped.getCause().getMessage());
    }
  }

  /** The keys are so long that no other check includes them. */
  @Test
  void aFileThatEndsBeforeItBeginsStopsTheDatabase() {
    KeyComparator circular = (a, b) -> Integer.signum((a.get(0) - b.get(0) + 4) % 3 - 1);
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("rock, paper, scissors", circular))) {
      for (byte key = 0; key < 3; key++) {
        byte[] bytes = new byte[1 << 17];
        bytes[0] = key;
        db.put(bytes, bytes("v"));
      }
      IllegalStateException stopped =
          assertThrows(
              IllegalStateException.class,
              () -> {
                db.flush();
                for (int i = 0; i < 6000; i++) {
                  db.metrics().property("rocksdb.num-files-at-level0");
                  Thread.sleep(10);
                }
              });
      assertTrue(
          stopped.getCause().getMessage().matches(
              "file /\\d+.sst begins with 0x0.(00){15}... of 131072 bytes and ends with 0x0.(00){15}... of 131072 "
                  + "bytes, but for the comparator 'rock, paper, scissors' the last comes before the first"),
          stopped.getCause().getMessage());
    }
  }

  @Test
  void aKeyWithoutAPlaceAmongTheOthersIsNotWritten() {
    KeyComparator overflowing = (a, b) -> a.getInt(0) - b.getInt(0);
    List<byte[]> keys =
        IntStream.concat(IntStream.rangeClosed(-2_000_002_000, -2_000_000_000), IntStream.of(2_000_000_000, 0))
            .mapToObj(key -> ByteBuffer.allocate(4).putInt(key).array())
            .toList(); // so many that few of the last answers are checked
    for (boolean batched : new boolean[] {false, true}) {
      try (RocksDb db = RocksDb.at(folder.resolve("batched " + batched))
          .defaults(FamilyOptions.defaults().keyOrder("overflowing", overflowing)).open()) {
        WriteBatch batch = new WriteBatch();
        keys.forEach(key -> batch.put(key, key));
        IllegalStateException stopped =
            assertThrows(
                IllegalStateException.class,
                () -> {
                  if (batched) {
                    db.write(batch);
                  } else {
                    keys.forEach(key -> db.put(key, key));
                  }
                });
        assertEquals(
            "the comparator 'overflowing' goes in circles: 0x00000000 comes before 0x77359400, that before 0x88ca6c00, "
                + "and that before the first again",
            stopped.getCause().getMessage());
      }
    }
  }

  @Test
  void theEngineChecksTheOrderOfWhatItWritesWhateverIsSet() {
    for (String check : List.of("check_flush_compaction_key_order", "force_consistency_checks")) {
      FamilyOptions unchecked = FamilyOptions.defaults().keyOrder("by length", BY_LENGTH).option(check, false);
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> open(unchecked)).getMessage()
              .contains("option " + check + ": it is on where the order is code in Java"));
      open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH).option(check, "true")).close();
    }
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> db.setOptions(Map.of("check_flush_compaction_key_order", "false")));
      db.setOptions(Map.of("check_flush_compaction_key_order", "true"));
    }
  }

  @Test
  void theEngineCompactsByItselfUnlessItIsToldNotTo() throws InterruptedException {
    for (boolean disabled : new boolean[] {false, true}) {
      FamilyOptions options =
          FamilyOptions.defaults()
              .keyOrder("by length", BY_LENGTH)
              .option("level0_file_num_compaction_trigger", 2)
              .option("disable_auto_compactions", disabled);
      Path path = folder.resolve("disabled " + disabled);
      RocksDb.at(path).defaults(options).open().close();
      try (RocksDb db = RocksDb.at(path).defaults(options).open()) {
        for (int i = 0; i < 4; i++) {
          db.put(bytes("k" + i), bytes("v"));
          db.flush();
        }
        for (int i = 0; i < 6000 && !disabled && filesOfLevel0(db) >= 2; i++) {
          Thread.sleep(10);
        }
        assertEquals(disabled ? 4 : 0, filesOfLevel0(db) / 2 * 2);
      }
      assertEquals(""
          + disabled, StoredOptions.load(path).families().get("default").settings().get("disable_auto_compactions"));
    }
  }

  private static long filesOfLevel0(RocksDb db) {
    return Long.parseLong(db.metrics().property("rocksdb.num-files-at-level0"));
  }

  @Test
  void manyThreadsCompareWhileTheDatabaseCloses() throws Exception {
    for (int round = 0; round < 5; round++) {
      RocksDb db = open(FamilyOptions.defaults().keyOrder("by length", BY_LENGTH));
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        int thread = t;
        Runnable work =
            () -> {
              try {
                for (int i = 0; ; i++) {
                  db.put(bytes("key" + thread + i % 500), bytes("" + i));
                  db.get(bytes("key" + i % 500));
                }
              } catch (IllegalStateException closed) {
                return;
              }
            };
        threads.add(t % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work));
      }
      for (int i = 0; i < 20; i++) {
        db.flush();
      }
      db.close();
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /**
   * A virtual thread that is the next to check its key cannot run while threads in the engine occupy all carriers. If
   * they wait for a flush, as in a stall of writes, the flush must be able to check its keys before that thread.
   */
  @Test
  void aKeyIsCheckedAlthoughTheNextThreadHasNoCarrier() throws Exception {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch isChecking = new CountDownLatch(1);
    CountDownLatch mayCheck = new CountDownLatch(1);
    CountDownLatch areBusy = new CountDownLatch(carriers);
    CountDownLatch mayMerge = new CountDownLatch(1);
    KeyComparator slow =
        (a, b) -> {
          if (a.size() == 4) { // only the first thread's key
            isChecking.countDown();
            assertDoesNotThrow(() -> mayCheck.await());
          }
          return BY_LENGTH.compare(a, b);
        };
    FamilyOptions merging =
        FamilyOptions.defaults().mergeOperator("waits", (key, value, operands) -> {
          areBusy.countDown();
          assertDoesNotThrow(() -> mayMerge.await());
          return key.toArray();
        });
    List<Thread> threads = new ArrayList<>();
    try (RocksDb db = open(FamilyOptions.defaults().keyOrder("slow", slow));
        RocksDb other = RocksDb.at(folder.resolve("other")).defaults(merging).open()) {
      db.put(bytes("k"), bytes("v"));
      other.merge(bytes("k"), bytes("v"));
      threads.add(Thread.ofPlatform().start(() -> db.put(bytes("long"), bytes("v"))));
      isChecking.await();
      threads.add(Thread.ofVirtual().start(() -> db.put(bytes("key"), bytes("v"))));
      awaitWaiting(threads.getLast());
      Thread last = Thread.ofPlatform().start(() -> db.put(bytes("kk"), bytes("v")));
      awaitWaiting(last);
      for (int i = 0; i < carriers; i++) {
        threads.add(Thread.ofVirtual().start(() -> other.get(bytes("k"))));
      }
      areBusy.await();
      mayCheck.countDown();
      boolean isChecked = last.join(Duration.ofMinutes(1));
      mayMerge.countDown();
      last.join();
      for (Thread thread : threads) {
        thread.join();
      }
      assertTrue(isChecked);
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }
}
