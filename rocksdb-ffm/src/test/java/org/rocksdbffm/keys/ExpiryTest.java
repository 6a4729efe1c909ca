/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.WriteBatch;

/** Tests that compactions delete expired rows, and no other rows. */
class ExpiryTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CompactOptions ALL_LEVELS =
      CompactOptions.defaults().bottommost(CompactOptions.Bottommost.FORCE);

  @TempDir Path folder;

  private RocksDb open(Expiry expiry) {
    return RocksDb.at(folder).defaults(FamilyOptions.defaults().expiry(expiry)).open();
  }

  /** Returns a value with a timestamp of the given age, format and byte order after {@code offset} other bytes. */
  private static byte[] value(Expiry.Time form, ByteOrder order, int offset, Duration age) {
    Instant instant = Instant.now().minus(age);
    ByteBuffer value = ByteBuffer.allocate(offset + Long.BYTES + 3).order(order);
    switch (form) {
      case SECONDS_IN_4_BYTES -> value.putInt(offset, (int) instant.getEpochSecond());
      case SECONDS -> value.putLong(offset, instant.getEpochSecond());
      case MILLISECONDS -> value.putLong(offset, instant.toEpochMilli());
    }
    return value.array();
  }

  private static byte[] value(Duration age) {
    return value(Expiry.Time.MILLISECONDS, ByteOrder.BIG_ENDIAN, 0, age);
  }

  private static List<String> keys(KeyReader reader) {
    return reader.stream(KeyRange.all(), row -> new String(row.keyBytes())).toList();
  }

  @Test
  void aCompactionDeletesWhatHasExpiredWithinItsSecond() {
    Expiry expiry = Expiry.after(Duration.ZERO);
    try (RocksDb db = open(expiry)) {
      while (System.currentTimeMillis() % 1000 > 500) {
        Thread.onSpinWait(); // so that the compaction starts within the same second
      }
      byte[] value = value(Duration.ZERO);
      db.put(bytes("k"), value);
      while (!expiry.isExpired(bytes("k"), value)) {
        Thread.onSpinWait();
      }
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertNull(db.get(bytes("k")));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SECONDS_IN_4_BYTES, BIG_ENDIAN, 0",
    "SECONDS_IN_4_BYTES, LITTLE_ENDIAN, 5",
    "SECONDS, BIG_ENDIAN, 3",
    "SECONDS, LITTLE_ENDIAN, 0",
    "MILLISECONDS, BIG_ENDIAN, 0",
    "MILLISECONDS, LITTLE_ENDIAN, 9"
  })
  void rowsOlderThanTheAgeGoInEveryForm(Expiry.Time form, String orderName, int offset) {
    ByteOrder order = orderName.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    Expiry hour = Expiry.after(HOUR).time(form).byteOrder(order).offset(offset);
    byte[] old = value(form, order, offset, Duration.ofMinutes(61));
    byte[] young = value(form, order, offset, Duration.ofMinutes(59));
    try (RocksDb db = open(hour)) {
      db.put(bytes("old"), old);
      db.put(bytes("young"), young);
      assertEquals(List.of("old", "young"), keys(db), "until they are compacted");
      db.compact(KeyRange.all());
      assertEquals(List.of("young"), keys(db));
      assertTrue(hour.isExpired(bytes("old"), old));
      assertFalse(hour.isExpired(bytes("young"), young));
      assertTrue(
          hour.isExpired(MemorySegment.ofArray(bytes("young")), MemorySegment.ofArray(young),
              Instant.now().plusSeconds(120)));
    }
  }

  @Test
  void onlyKeysWithThePrefixExpire() {
    Expiry logs = Expiry.after(HOUR).keyPrefix(bytes("log/"));
    byte[] old = value(Duration.ofDays(1));
    try (RocksDb db = open(logs)) {
      for (String key : List.of("lo", "log", "log/", "log/1", "log0", "user")) {
        db.put(bytes(key), old);
        assertEquals(key.startsWith("log/"), logs.isExpired(bytes(key), old), key);
      }
      db.compact(KeyRange.all());
      assertEquals(List.of("lo", "log", "log0", "user"), keys(db));
    }
  }

  @Test
  void whatIsNoTimeIsKept() {
    Expiry hour = Expiry.after(HOUR);
    try (RocksDb db = open(hour)) {
      db.put(bytes("short"), new byte[7]);
      db.put(bytes("empty"), new byte[0]);
      db.put(bytes("zero"), new byte[8]);
      db.put(bytes("seconds"), value(Expiry.Time.SECONDS, ByteOrder.BIG_ENDIAN, 0, Duration.ofDays(9)));
      db.put(bytes("little"), value(Expiry.Time.MILLISECONDS, ByteOrder.LITTLE_ENDIAN, 0, Duration.ofDays(9)));
      db.put(bytes("before"), ByteBuffer.allocate(8).putLong(-1).array());
      db.put(bytes("later"), value(Duration.ofDays(-9)));
      List<String> all = keys(db);
      db.stream(KeyRange.all(), row -> hour.isExpired(row.key(), row.value())).forEach(expired -> assertFalse(expired));
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(7, all.size());
      assertEquals(all, keys(db));
    }
  }

  @Test
  void eachFamilyHasItsOwnAge() {
    try (RocksDb db = open(Expiry.after(HOUR))) {
      ColumnFamily days = db.createFamily("days", FamilyOptions.defaults().expiry(Expiry.after(Duration.ofDays(2))));
      ColumnFamily ever = db.createFamily("ever", FamilyOptions.defaults());
      for (KeySpace keys : List.of(db, days, ever)) {
        keys.put(bytes("hours"), value(Duration.ofHours(2)));
        keys.put(bytes("days"), value(Duration.ofDays(3)));
        keys.compact(KeyRange.all(), ALL_LEVELS);
      }
      assertEquals(List.of(), keys(db));
      assertEquals(List.of("hours"), keys(days));
      assertEquals(List.of("days", "hours"), keys(ever));
    }
  }

  @Test
  void anAgeOfZeroIsForValuesThatSayWhenTheyEnd() {
    try (RocksDb db = open(Expiry.after(Duration.ZERO))) {
      db.put(bytes("ended"), value(Duration.ofSeconds(3)));
      db.put(bytes("valid"), value(Duration.ofMinutes(-1)));
      db.compact(KeyRange.all());
      assertEquals(List.of("valid"), keys(db));
    }
  }

  @Test
  void theLongestAgeKeepsAll() {
    Expiry longest = Expiry.after(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    try (RocksDb db = open(longest)) {
      db.put(bytes("a"), value(Duration.ofDays(365 * 20)));
      assertFalse(longest.isExpired(bytes("a"), db.get(bytes("a"))));
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of("a"), keys(db));
    }
  }

  @Test
  void mergedRowsExpireByTheirMergedValue() {
    FamilyOptions options = FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend('|'));
    try (RocksDb db = RocksDb.at(folder).defaults(options.expiry(Expiry.after(HOUR))).open()) {
      db.put(bytes("old"), value(Duration.ofDays(1)));
      db.merge(bytes("old"), bytes("more"));
      db.put(bytes("young"), value(Duration.ofMinutes(1)));
      db.merge(bytes("young"), value(Duration.ofDays(1)));
      db.compact(KeyRange.all(), ALL_LEVELS);
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of("young"), keys(db));
    }
  }

  @Test
  void valuesInBlobFilesExpire() {
    FamilyOptions options = FamilyOptions.defaults().enableBlobFiles(true).minBlobSize(ByteSize.bytes(8));
    try (RocksDb db = RocksDb.at(folder).defaults(options.expiry(Expiry.after(HOUR))).open()) {
      db.put(bytes("old"), value(Duration.ofDays(1)));
      db.put(bytes("young"), value(Duration.ofMinutes(1)));
      db.flush();
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of("young"), keys(db));
    }
  }

  @Test
  void aSnapshotDoesNotKeepARow() {
    try (RocksDb db = open(Expiry.after(HOUR))) {
      db.put(bytes("old"), value(Duration.ofDays(1)));
      db.flush();
      try (Snapshot snapshot = db.snapshot()) {
        db.compact(KeyRange.all(), ALL_LEVELS);
        assertEquals(List.of(), keys(snapshot));
      }
    }
  }

  @Test
  void aScanThatIsOpenKeepsItsRows() {
    try (RocksDb db = open(Expiry.after(HOUR))) {
      db.put(bytes("a"), value(Duration.ofDays(1)));
      db.put(bytes("b"), value(Duration.ofDays(1)));
      db.flush();
      try (Scan scan = db.scan(KeyRange.all())) {
        db.compact(KeyRange.all(), ALL_LEVELS);
        assertTrue(scan.next());
        assertTrue(scan.next());
      }
      assertEquals(List.of(), keys(db));
    }
  }

  @Test
  void oldRowsGoByThemselves() throws InterruptedException {
    FamilyOptions options =
        FamilyOptions.defaults()
            .expiry(Expiry.after(HOUR))
            .periodicCompaction(Duration.ofSeconds(1));
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      db.put(bytes("old"), value(Duration.ofDays(1)));
      db.flush();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      for (int i = 0; !keys(db).isEmpty() && System.nanoTime() < deadline; i++) {
        Thread.sleep(200); // no event reports that a file is due for compaction
        db.put(bytes("tick"), value(Duration.ofDays(1)));
        db.flush(); // makes the engine check for files that are due
      }
      db.flushAll();
      db.files().waitForCompact(Duration.ofSeconds(60));
      assertFalse(keys(db).contains("old"));
    }
  }

  @Test
  void theLastOfTwoWaysToFilterCounts() {
    FamilyOptions inJava =
        FamilyOptions.defaults()
            .expiry(Expiry.after(HOUR))
            .compactionFilter("none", compaction -> (level, key, value) -> CompactionFilter.Decision.KEEP);
    try (RocksDb db = RocksDb.at(folder).defaults(inJava).open()) {
      db.put(bytes("old"), value(Duration.ofDays(1)));
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of("old"), keys(db));
    }
    try (RocksDb db = RocksDb.at(folder).defaults(inJava.expiry(Expiry.after(HOUR))).open()) {
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of(), keys(db));
    }
  }

  @Test
  void optionsThatWereStoredNameItAndAreGivenItAnew() {
    open(Expiry.after(HOUR)).close();
    StoredOptions stored = StoredOptions.load(folder);
    var e =
        assertThrowsExactly(
            IllegalArgumentException.class,
            () -> RocksDb.at(folder).options(stored.database()).families(stored.families()).open());
    assertTrue(e.getMessage().contains("FamilyOptions.expiry deletes rows by their age"), e.getMessage());
    FamilyOptions again = stored.families().get("default").expiry(Expiry.after(HOUR));
    RocksDb.at(folder).options(stored.database()).families(java.util.Map.of("default", again)).open().close();
  }

  @Test
  void itIsAValue() {
    Expiry one = Expiry.after(HOUR).keyPrefix(bytes("a")).offset(2).time(Expiry.Time.SECONDS);
    Expiry same = Expiry.after(Duration.ofMinutes(60)).time(Expiry.Time.SECONDS).offset(2).keyPrefix(bytes("a"));
    assertEquals(one, same);
    assertEquals(one.hashCode(), same.hashCode());
    assertNotEquals(one, one.byteOrder(ByteOrder.LITTLE_ENDIAN));
    assertNotEquals(one, one.keyPrefix(bytes("b")));
    assertEquals("after PT1H of keys that begin with 0x61 by SECONDS at 2, BIG_ENDIAN", one.toString());
    assertEquals(FamilyOptions.defaults().expiry(one), FamilyOptions.defaults().expiry(same));
    assertNotEquals(FamilyOptions.defaults().expiry(one), FamilyOptions.defaults());
    byte[] prefix = bytes("a");
    Expiry kept = Expiry.after(HOUR).keyPrefix(prefix);
    prefix[0] = 'b';
    assertEquals(Expiry.after(HOUR).keyPrefix(bytes("a")), kept);
  }

  @Test
  void wrongSettingsAreRefused() {
    var e = assertThrowsExactly(IllegalArgumentException.class, () -> Expiry.after(Duration.ofNanos(-1)));
    assertEquals("age: PT-0.000000001S is negative", e.getMessage());
    e = assertThrowsExactly(IllegalArgumentException.class, () -> Expiry.after(HOUR).offset(-1));
    assertEquals("bytes: -1 is below zero", e.getMessage());
  }

  @Test
  void anAgeIsNeverTakenForLess() {
    Expiry seconds = Expiry.after(Duration.ofMillis(1)).time(Expiry.Time.SECONDS);
    byte[] key = {};
    Instant now = Instant.parse("2020-01-01T00:00:10Z");
    byte[] before = ByteBuffer.allocate(8).putLong(now.getEpochSecond() - 1).array();
    byte[] longBefore = ByteBuffer.allocate(8).putLong(now.getEpochSecond() - 2).array();
    assertFalse(seconds.isExpired(MemorySegment.ofArray(key), MemorySegment.ofArray(before), now));
    assertTrue(seconds.isExpired(MemorySegment.ofArray(key), MemorySegment.ofArray(longBefore), now));
  }

  /**
   * Opens a database with an unexpired value of a key in the last level, and an expired newer value above it, which was
   * compacted.
   */
  private RocksDb openWithExpiredAboveYoung() {
    FamilyOptions levels =
        FamilyOptions.defaults()
            .option("level_compaction_dynamic_level_bytes", false)
            .level0FileNumCompactionTrigger(2);
    RocksDb db = RocksDb.at(folder).defaults(levels.expiry(Expiry.after(HOUR))).open();
    db.put(bytes("a"), value(Duration.ofMinutes(1)));
    db.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(3));
    for (int i = 0; i < 2; i++) {
      db.put(bytes("a"), value(Duration.ofDays(1)));
      db.put(bytes("b"), value(Duration.ofMinutes(1)));
      db.put(bytes("b" + i), value(Duration.ofMinutes(1))); // a moved file would not be filtered
      db.flush();
    }
    db.files().waitForCompact(Duration.ofSeconds(60));
    assertEquals(List.of(1, 3), db.files().live().stream().map(FamilyFiles.LiveFile::level).sorted().toList());
    return db;
  }

  @Test
  void anOlderValueDoesNotComeBack() {
    try (RocksDb db = openWithExpiredAboveYoung()) {
      assertEquals(List.of("b", "b0", "b1"), keys(db));
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of("b", "b0", "b1"), keys(db));
    }
  }

  @Test
  void singleDeletionsAreRefusedWhereRowsExpire() {
    try (RocksDb db = openWithExpiredAboveYoung()) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      byte[] key = bytes("a");
      WriteBatch batch = new WriteBatch();
      batch.singleDelete(key);
      for (Executable deletion : List.<Executable>of(() -> db.singleDelete(key), () -> db.write(batch))) {
        var e = assertThrowsExactly(IllegalStateException.class, deletion);
        assertTrue(e.getMessage().endsWith(" expires rows, and the engine fails where a single deletion meets one that"
            + " has expired: delete the key"), e.getMessage());
      }
      other.put(key, key);
      other.singleDelete(key);
      db.delete(key);
      db.compact(KeyRange.all(), ALL_LEVELS);
      assertEquals(List.of("b", "b0", "b1"), keys(db));
    }
  }

  @Test
  void singleDeletionsAreRefusedInTransactionsToo() {
    FamilyOptions options = FamilyOptions.defaults().expiry(Expiry.after(HOUR));
    try (TransactionDb db = RocksDb.at(folder).defaults(options).openTransactional();
        Transaction transaction = db.begin()) {
      assertThrowsExactly(IllegalStateException.class, () -> transaction.singleDelete(bytes("a")));
    }
  }
}
