/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A deadline starts with each read, and every kind of read reports that it has passed. */
@ExtendWith(LiveObjectsCheck.class)
class DeadlineTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = new byte[5000];
  private static final ReadOptions PASSED = ReadOptions.defaults().deadline(Duration.ofNanos(1000));
  private static final ReadOptions GENEROUS = ReadOptions.defaults().deadline(Duration.ofMinutes(1));

  @TempDir Path folder;
  private TransactionDb db;

  /**
   * Opens the database without a block cache, so that each read accesses a file, which takes more than a microsecond.
   */
  @BeforeEach
  void open() {
    FamilyOptions options =
        FamilyOptions.defaults().table(TableOptions.defaults().option("no_block_cache", true));
    db = RocksDb.at(folder.resolve("db")).defaults(options).openTransactional();
    db.put(KEY, VALUE);
    db.put("other".getBytes(UTF_8), VALUE);
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
  }

  private interface Read {
    Object by(KeyReader reader);
  }

  private static Stream<Arguments> reads() {
    List<byte[]> keys = List.of(KEY, "other".getBytes(UTF_8));
    return Stream.of(
        read("get", reader -> reader.get(KEY)),
        read("get of a segment", reader -> reader.get(MemorySegment.ofArray(KEY))),
        read("getInto", reader -> reader.getInto(KEY, new byte[100])),
        read("getInto a large array", reader -> reader.getInto(KEY, new byte[10_000])),
        read("getInto a segment", reader -> reader.getInto(MemorySegment.ofArray(KEY), Arena.ofAuto().allocate(100))),
        read("get in an arena", reader -> reader.get(KEY, Arena.ofAuto())),
        read("contains", reader -> reader.contains(KEY)),
        read("look", reader -> reader.get(KEY, MemorySegment::byteSize)),
        read("pinned", reader -> closed(reader.getPinned(KEY))),
        read("multiGet", reader -> reader.multiGet(keys)),
        read("pinned multiGet", reader -> closed(reader.multiGet().add(KEY).get())),
        read("cursor", DeadlineTest::lastOfCursor),
        read("scan", reader -> {
          try (Scan scan = reader.scan(KeyRange.all())) {
            return scan.next();
          }
        }),
        read("scan of a range", reader -> {
          try (Scan scan = reader.scan(KeyRange.between("a".getBytes(UTF_8), "z".getBytes(UTF_8)))) {
            return scan.next();
          }
        }));
  }

  private static Arguments read(String name, Read read) {
    return Arguments.of(name, read);
  }

  private static Object closed(AutoCloseable pinned) {
    try (pinned) {
      return pinned;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Object lastOfCursor(KeyReader reader) {
    try (Cursor cursor = reader.cursor()) {
      return cursor.last();
    }
  }

  /** Asserts that a read times out; repeats the read if it was faster than the deadline. */
  private static void assertTimedOut(Executable read) {
    RocksDbException late = null;
    for (int i = 0; i < 100 && late == null; i++) {
      late = failure(read);
    }
    if (late == null) {
      fail("none of many reads is late");
    }
    assertEquals(Code.TIMED_OUT, late.code(), late.getMessage());
    assertTrue(late.getMessage().startsWith("Operation timed out: "), late.getMessage());
    assertFalse(late.isConflict());
  }

  private static RocksDbException failure(Executable read) {
    try {
      read.execute();
      return null;
    } catch (RocksDbException e) {
      return e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  void aReadThatIsLateSaysSo(String name, Read read) {
    assertTimedOut(() -> read.by(db.with(PASSED)));
    try (Snapshot snapshot = db.snapshot()) {
      assertTimedOut(() -> read.by(snapshot.with(PASSED)));
    }
    try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
      assertTimedOut(() -> read.by(transaction.with(PASSED)));
      assertTimedOut(() -> read.by(transaction.atSnapshot().with(PASSED)));
    }
    try (IndexedBatch batch = db.indexedBatch()) {
      assertTimedOut(() -> read.by(batch.with(PASSED)));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  void aReadInTimeAnswersAsOneWithoutADeadline(String name, Read read) {
    KeySpace timed = db.with(GENEROUS);
    try (Snapshot snapshot = db.snapshot();
        Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true));
        IndexedBatch batch = db.indexedBatch()) {
      for (KeyReader reader :
          List.of(timed, snapshot.with(GENEROUS), transaction.with(GENEROUS), transaction.atSnapshot().with(GENEROUS),
              batch.with(GENEROUS))) {
        read.by(reader);
        read.by(reader);
      }
    }
    read.by(db);
  }

  @Test
  void theTimeBeginsWithEachReadAndNotWithTheOptions() throws InterruptedException {
    KeySpace timed = db.with(ReadOptions.defaults().deadline(Duration.ofSeconds(4)));
    timed.get(KEY);
    Thread.sleep(4200);
    assertArrayEquals(VALUE, timed.get(KEY));
  }

  @Test
  void theTimeOfACursorBeginsWithItsOpening() throws InterruptedException {
    KeySpace timed = db.with(ReadOptions.defaults().deadline(Duration.ofSeconds(4)));
    try (Cursor cursor = timed.cursor()) {
      assertTrue(cursor.first());
      Thread.sleep(4200);
      assertTimedOut(cursor::last);
    }
    try (Cursor cursor = timed.cursor()) {
      assertTrue(cursor.last());
    }
  }

  @Test
  void aReadThatTheMemtableAnswersIsNeverLate() {
    byte[] fresh = "fresh".getBytes(UTF_8);
    db.put(fresh, VALUE);
    assertArrayEquals(VALUE, db.with(PASSED).get(fresh));
  }

  @Test
  void readsAtASnapshotSeeNothingNewer() {
    try (Snapshot snapshot = db.snapshot()) {
      db.put(KEY, "newer".getBytes(UTF_8));
      assertArrayEquals(VALUE, snapshot.with(GENEROUS).get(KEY));
      assertEquals("newer", new String(db.with(GENEROUS).get(KEY), UTF_8));
    }
    try (Transaction transaction = db.begin(TransactionOptions.defaults().snapshot(true))) {
      db.put(KEY, "newest".getBytes(UTF_8));
      assertEquals("newer", new String(transaction.atSnapshot().with(GENEROUS).get(KEY), UTF_8));
      assertEquals("newest", new String(transaction.with(GENEROUS).get(KEY), UTF_8));
      transaction.put("other".getBytes(UTF_8), "mine".getBytes(UTF_8));
      assertEquals("mine", new String(transaction.with(GENEROUS).get("other".getBytes(UTF_8)), UTF_8));
    }
  }

  @Test
  void threadsWithOneSetOfOptionsHaveDeadlinesOfTheirOwn() throws Exception {
    KeySpace timed = db.with(GENEROUS);
    KeySpace late = db.with(PASSED);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean isLate = i % 2 == 0;
        all.add(threads.submit(() -> {
          for (int round = 0; round < 500; round++) {
            if (isLate) {
              assertTimedOut(() -> late.get(KEY));
            } else {
              assertArrayEquals(VALUE, timed.get(KEY));
            }
          }
        }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  @Test
  void aDeadlineIsTakenBackByZero() {
    assertEquals(ReadOptions.defaults(), PASSED.deadline(Duration.ZERO));
    assertArrayEquals(VALUE, db.with(PASSED.deadline(Duration.ZERO)).get(KEY));
    for (Duration wrong
        : List.of(Duration.ofNanos(999), Duration.ofSeconds(-1), Duration.ofDays(2),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      String message =
          assertThrowsExactly(IllegalArgumentException.class, () -> ReadOptions.defaults().deadline(wrong))
              .getMessage();
      assertEquals("limit: " + wrong + ", but a read takes from PT0.000001S to PT24H", message);
    }
  }

  @Test
  void aStepPastManyDeletedKeysEnds() {
    for (int i = 0; i < 200; i++) {
      db.put(("a" + i).getBytes(UTF_8), KEY);
      db.delete(("a" + i).getBytes(UTF_8));
    }
    try (Cursor cursor = db.with(ReadOptions.defaults().maxSkippedKeys(50)).cursor()) {
      assertEquals(
          Code.INCOMPLETE, assertThrowsExactly(RocksDbException.class, cursor::first).code());
    }
    try (Cursor cursor = db.with(ReadOptions.defaults().maxSkippedKeys(1000)).cursor()) {
      assertTrue(cursor.first());
    }
    assertThrowsExactly(IllegalArgumentException.class, () -> ReadOptions.defaults().maxSkippedKeys(-1));
  }

  @Test
  void otherSettingsLeaveTheRowsAsTheyAre() {
    ReadOptions all =
        ReadOptions.defaults().adaptiveReadahead(true).purgeInBackground(true).ioTimeout(Duration.ofSeconds(9));
    try (Scan scan = db.with(all).scan(KeyRange.all())) {
      assertTrue(scan.next());
      assertEquals("key", new String(scan.key().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), UTF_8));
    }
  }

  @Test
  void writesWithChecksumsAreWrittenInEveryForm() {
    WriteOptions checked = WriteOptions.defaults().checksums(true);
    KeySpace space = db.with(checked);
    space.put(KEY, KEY);
    space.delete("other".getBytes(UTF_8));
    WriteBatch batch = new WriteBatch();
    batch.put("batch".getBytes(UTF_8), KEY);
    batch.deleteRange("x".getBytes(UTF_8), "y".getBytes(UTF_8));
    try (RocksDb plain = RocksDb.open(folder.resolve("plain"))) {
      plain.with(checked).write(batch);
      assertArrayEquals(KEY, plain.get("batch".getBytes(UTF_8)));
    }
    try (Transaction transaction = db.begin(TransactionOptions.defaults().writeOptions(checked))) {
      transaction.put("t".getBytes(UTF_8), KEY);
      transaction.commit();
    }
    assertArrayEquals(KEY, db.get("t".getBytes(UTF_8)));
    assertArrayEquals(KEY, db.get(KEY));
  }
}
