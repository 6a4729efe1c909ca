/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.CompactionFilter.Decision;

/** Comparators, merge operators and compaction filters in Java: what they see, and what becomes of what they throw. */
@ExtendWith(LiveObjectsCheck.class)
final class CallbackTest {
  private static final Options CREATE = Options.defaults().createIfMissing(true);
  private static final KeyComparator BY_LENGTH =
      (a, b) -> a.size() == b.size() ? a.compareTo(b) : Long.compare(a.size(), b.size());

  @TempDir Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  private static List<String> keys(Reader reader) {
    List<String> keys = new ArrayList<>();
    try (Scan scan = reader.scan(KeyRange.all())) {
      while (scan.next()) {
        keys.add(text(scan.keyBytes()));
      }
    }
    return keys;
  }

  private RocksDb open(Options options) {
    return RocksDb.open(folder.resolve("db"), options);
  }

  @Test
  void keysAreInTheOrderOfTheComparatorInMemoryOnDiskAndAfterReopening() {
    Options options = CREATE.keyOrder("by length", BY_LENGTH);
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
    try (RocksDb db = open(CREATE)) {
      ColumnFamily shortest = db.createColumnFamily("shortest", Options.defaults().keyOrder("by length", BY_LENGTH));
      for (String key : List.of("aaa", "b")) {
        db.put(bytes(key), bytes(key));
        shortest.put(bytes(key), bytes(key));
      }
      assertEquals(List.of("aaa", "b"), keys(db));
      assertEquals(List.of("b", "aaa"), keys(shortest));
      db.dropColumnFamily(shortest);
      shortest.close();
    }
  }

  @Test
  void aRangeOfDeletionsIsCheckedByTheComparator() {
    try (RocksDb db = open(CREATE.keyOrder("by length", BY_LENGTH))) {
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
  void anotherComparatorThanThatOfTheDatabaseIsRefused() {
    open(CREATE.keyOrder("by length", BY_LENGTH)).close();
    assertThrows(RocksDbException.class, () -> open(CREATE));
    assertThrows(RocksDbException.class, () -> open(CREATE.keyOrder("another", BY_LENGTH)));
    open(CREATE.keyOrder("by length", BY_LENGTH)).close();
  }

  @Test
  void theNamesOfTheEnginesOwnOrdersAreRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> CREATE.keyOrder("leveldb.BytewiseComparator", BY_LENGTH));
    assertEquals(
        "name: 'leveldb.BytewiseComparator' is the engine's own order; keyOrder(BYTEWISE)", refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> CREATE.keyOrder(" ", BY_LENGTH));
    assertThrows(IllegalArgumentException.class, () -> CREATE.keyOrder("a\0b", BY_LENGTH));
  }

  @Test
  void whatIsSetLastCounts() {
    Options options = CREATE.keyOrder("by length", BY_LENGTH).keyOrder(KeyOrder.BYTEWISE);
    try (RocksDb db = open(options)) {
      db.put(bytes("aa"), bytes(""));
      db.put(bytes("b"), bytes(""));
      assertEquals(List.of("aa", "b"), keys(db));
    }
    assertEquals(CREATE.keyOrder(KeyOrder.BYTEWISE), options);
    assertTrue(CREATE.keyOrder(KeyOrder.BYTEWISE).keyOrder("by length", BY_LENGTH).settings().size() == 1);
    assertEquals("create_if_missing=true;comparator=by length in Java;", CREATE.keyOrder("by length", BY_LENGTH).toString());
  }

  @Test
  void aComparatorThatThrowsStopsTheDatabaseAndLosesNothing() {
    RuntimeException broken = new RuntimeException("broken");
    boolean[] breaks = {false};
    Options options =
        CREATE.keyOrder(
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

  /** Throws at each of many moments of puts, flushes, compactions, reads and opens; what was acknowledged stays. */
  @Test
  void aComparatorThatThrowsAtAnyMomentPutsNothingOutOfOrder() {
    int[] left = {Integer.MAX_VALUE};
    Options options =
        CREATE
            .option("level0_file_num_compaction_trigger", 2)
            .keyOrder(
                "by length",
                (a, b) -> {
                  if (left[0]-- == 0) {
                    throw new IllegalStateException("at this moment");
                  }
                  return BY_LENGTH.compare(a, b);
                });
    Map<String, String> expected = new TreeMap<>((a, b) -> a.length() == b.length() ? a.compareTo(b) : a.length() - b.length());
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
  void aDatabaseIsNotOpenedWithAComparatorThatThrows() {
    try (RocksDb db = open(CREATE.keyOrder("by length", BY_LENGTH))) {
      for (int i = 0; i < 100; i++) {
        db.put(bytes("key" + i), bytes("" + i));
      }
    }
    Options broken =
        CREATE.keyOrder(
            "by length",
            (a, b) -> {
              throw new UnsupportedOperationException();
            });
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> open(broken));
    assertEquals(UnsupportedOperationException.class, refused.getCause().getClass());
    try (RocksDb db = open(CREATE.keyOrder("by length", BY_LENGTH))) {
      assertEquals(100, keys(db).size());
    }
  }

  @Test
  void aValueIsMergedWhereItIsReadAndWhereItIsCompacted() {
    MergeFunction sum =
        (key, value, operands) -> {
          long total = value == null ? 0 : value.getLong(0);
          for (ByteView operand : operands) {
            total += operand.get(0);
          }
          return java.nio.ByteBuffer.allocate(8).putLong(total).array();
        };
    try (RocksDb db = open(CREATE.mergeOperator("sum", sum))) {
      for (int i = 0; i < 10; i++) {
        db.merge(bytes("k"), new byte[] {(byte) i});
      }
      byte[] expected = {0, 0, 0, 0, 0, 0, 0, 45};
      assertArrayEquals(expected, db.get(bytes("k")));
      db.flush();
      db.compact(KeyRange.all());
      assertArrayEquals(expected, db.get(bytes("k")));
      db.merge(bytes("k"), new byte[] {5});
      assertEquals(50, db.get(bytes("k"))[7]);
      WriteBatch batch = new WriteBatch();
      batch.merge(bytes("k"), new byte[] {1});
      db.write(batch);
      assertEquals(51, db.get(bytes("k"))[7]);
    }
  }

  @Test
  void operandsAreCombinedWithoutAValue() {
    List<Integer> combined = new ArrayList<>();
    MergeFunction join =
        new MergeFunction() {
          @Override
          public byte[] merge(ByteView key, ByteView value, List<ByteView> operands) {
            return bytes((value == null ? "" : text(value.toArray())) + joined(operands));
          }

          @Override
          public byte[] combine(ByteView key, List<ByteView> operands) {
            combined.add(operands.size());
            return bytes(joined(operands));
          }

          private String joined(List<ByteView> operands) {
            return String.join("", operands.stream().map(operand -> text(operand.toArray())).toList());
          }
        };
    try (RocksDb db = open(CREATE.mergeOperator("join", join))) {
      db.put(bytes("k"), bytes("0"));
      db.flush();
      // A snapshot keeps the put apart, so a flush has operands alone.
      try (Snapshot ignored = db.snapshot()) {
        for (String part : List.of("1", "2", "3")) {
          db.merge(bytes("k"), bytes(part));
        }
        db.flush();
      }
      assertEquals("0123", text(db.get(bytes("k"))));
    }
    assertTrue(combined.contains(3) || combined.contains(2), combined.toString());
  }

  @Test
  void whatAMergeThrowsIsTheCauseOfTheReadsFailure() {
    RuntimeException broken = new RuntimeException("broken");
    try (RocksDb db =
        open(
            CREATE.mergeOperator(
                "broken",
                (key, value, operands) -> {
                  throw broken;
                }))) {
      db.merge(bytes("k"), bytes("1"));
      RocksDbException failed = assertThrows(RocksDbException.class, () -> db.get(bytes("k")));
      assertEquals(RocksDbException.Code.CORRUPTION, failed.code());
      assertSame(broken, failed.getCause());
      db.put(bytes("k"), bytes("2"));
      assertEquals("2", text(db.get(bytes("k"))));
    }
  }

  @Test
  void aMergeThatGivesUpFailsTheRead() {
    try (RocksDb db = open(CREATE.mergeOperator("none", (key, value, operands) -> null))) {
      db.merge(bytes("k"), bytes("1"));
      RocksDbException failed = assertThrows(RocksDbException.class, () -> db.get(bytes("k")));
      assertNull(failed.getCause());
    }
  }

  @Test
  void aFilterKeepsRemovesAndChanges() {
    List<CompactionFilter.Compaction> compactions = new ArrayList<>();
    CompactionFilter.Factory factory =
        compaction -> {
          compactions.add(compaction);
          return (level, key, value) ->
              switch (key.get(0)) {
                case 'r' -> Decision.REMOVE;
                case 'c' -> Decision.change(bytes("changed " + text(value.toArray())));
                default -> Decision.KEEP;
              };
        };
    try (RocksDb db = open(CREATE.compactionFilter("by letter", factory))) {
      for (String key : List.of("keep", "remove", "change", "change2")) {
        db.put(bytes(key), bytes("value"));
      }
      db.flush();
      db.compact(KeyRange.all());
      assertEquals(List.of("change", "change2", "keep"), keys(db));
      assertEquals("changed value", text(db.get(bytes("change"))));
      assertEquals("value", text(db.get(bytes("keep"))));
    }
    assertTrue(compactions.contains(new CompactionFilter.Compaction(true, true)), compactions.toString());
  }

  @Test
  void whatAFilterThrowsLosesNothing() {
    List<CompactionFilter.Factory> broken =
        List.of(
            compaction -> {
              throw new IllegalStateException("no filter");
            },
            compaction -> (level, key, value) -> {
              throw new IllegalStateException("no decision");
            },
            compaction -> (level, key, value) -> null,
            compaction -> null);
    for (int i = 0; i < broken.size(); i++) {
      try (RocksDb db = RocksDb.open(folder.resolve("db" + i), CREATE.compactionFilter("broken", broken.get(i)))) {
        db.put(bytes("k"), bytes("v"));
        db.flush();
        db.compact(KeyRange.all());
        assertEquals("v", text(db.get(bytes("k"))));
      }
    }
  }

  @Test
  void aViewIsOfNoUseAfterItsCallbackAndOnAnotherThread() throws Exception {
    AtomicReference<ByteView> kept = new AtomicReference<>();
    AtomicReference<Throwable> elsewhere = new AtomicReference<>();
    MergeFunction function =
        (key, value, operands) -> {
          kept.set(operands.get(0));
          Thread other =
              Thread.ofPlatform().start(() -> elsewhere.set(assertThrows(WrongThreadException.class, () -> key.get(0))));
          join(other);
          assertThrows(IndexOutOfBoundsException.class, () -> key.get(1));
          assertThrows(IndexOutOfBoundsException.class, () -> key.get(-1));
          assertThrows(IndexOutOfBoundsException.class, () -> key.getLong(0));
          assertThrows(IndexOutOfBoundsException.class, () -> key.getInt(-1));
          assertThrows(IndexOutOfBoundsException.class, () -> operands.get(1));
          assertEquals("a view of 1 bytes", key.toString());
          byte[] part = new byte[3];
          key.copyTo(0, part, 1, 1);
          assertArrayEquals(new byte[] {0, 'k', 0}, part);
          return new byte[0];
        };
    try (RocksDb db = open(CREATE.mergeOperator("keeping", function))) {
      db.merge(bytes("k"), bytes("1"));
      assertArrayEquals(new byte[0], db.get(bytes("k")));
    }
    assertEquals(WrongThreadException.class, elsewhere.get().getClass());
    assertThrows(IllegalStateException.class, () -> kept.get().size());
    assertThrows(IllegalStateException.class, () -> kept.get().toArray());
    assertEquals("a view of a callback that is over", kept.get().toString());
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCallbackCannotUseTheDatabaseThatCallsItButAnother() {
    AtomicReference<RocksDb> own = new AtomicReference<>();
    List<String> refused = new ArrayList<>();
    try (RocksDb other = RocksDb.open(folder.resolve("other"), CREATE.keyOrder("by length", BY_LENGTH))) {
      other.put(bytes("k"), bytes("from the other"));
      MergeFunction function =
          (key, value, operands) -> {
            for (Runnable use :
                List.<Runnable>of(
                    () -> own.get().get(bytes("k")), () -> own.get().put(bytes("k"), bytes("")), own.get()::close)) {
              refused.add(assertThrows(IllegalStateException.class, use::run).getMessage());
            }
            byte[] found = other.get(key.toArray());
            assertEquals(1, key.size());
            return found;
          };
      try (RocksDb db = open(CREATE.mergeOperator("looking", function))) {
        own.set(db);
        db.merge(bytes("k"), bytes("1"));
        assertEquals("from the other", text(db.get(bytes("k"))));
      }
    }
    assertEquals(3, refused.size());
    assertEquals(
        "database " + folder.resolve("db")
            + " cannot be used by the merge operator 'looking', which it calls and waits for",
        refused.get(0));
  }

  /** The engine opens it in another way, and reads one that is compacted in a third. */
  @Test
  void aDatabaseForReadingAloneIsServedByItsOwnCallbacks() {
    for (boolean compacted : new boolean[] {false, true}) {
      Path path = folder.resolve("compacted " + compacted);
      AtomicReference<RocksDb> own = new AtomicReference<>();
      List<String> refused = new ArrayList<>();
      MergeFunction function =
          (key, value, operands) -> {
            if (own.get() != null) {
              refused.add(assertThrows(IllegalStateException.class, own.get()::close).getMessage());
            }
            return operands.getLast().toArray();
          };
      Options options = CREATE.keyOrder("by length", BY_LENGTH).mergeOperator("last", function);
      try (RocksDb db = RocksDb.open(path, options)) {
        for (String key : List.of("aaa", "c", "bb")) {
          db.merge(bytes(key), bytes("v" + key));
        }
        if (compacted) {
          db.compact(KeyRange.all());
        }
      }
      try (RocksDb db = RocksDb.openReadOnly(path, options)) {
        own.set(db);
        System.gc();
        assertEquals("vbb", text(db.get(bytes("bb"))));
        assertEquals(List.of("c", "bb", "aaa"), keys(db));
      }
      assertTrue(compacted || !refused.isEmpty());
      refused.forEach(
          message ->
              assertEquals(
                  "database " + path + " cannot be used by the merge operator 'last', which it calls and waits for",
                  message));
    }
  }

  @Test
  void manyThreadsCompareWhileTheDatabaseCloses() throws Exception {
    for (int round = 0; round < 5; round++) {
      RocksDb db = open(CREATE.keyOrder("by length", BY_LENGTH));
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
}
