/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.Compression;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.EncryptionKeys;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Opening;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests scans of many ranges in one call. */
@ExtendWith(LiveObjectsCheck.class)
final class ManyRangesTest {
  private static final int ROWS = 20_000;
  private static final FamilyOptions PLAIN =
      FamilyOptions.defaults().compression(Compression.NONE).option("target_file_size_base", 256 << 10);

  @TempDir Path folder;

  private List<KeyRange> ranges;

  private static byte[] key(int number) {
    return bytes("%06d".formatted(number));
  }

  @BeforeEach
  void draw() {
    Random random = new Random(3);
    ranges = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int from = random.nextInt(ROWS);
      ranges.add(i % 2 == 0 ? KeyRange.closed(key(from), key(from + 49)) : KeyRange.between(key(from), key(from + 50)));
    }
    ranges.add(KeyRange.from(key(ROWS - 10)));
    ranges.add(KeyRange.between(key(5), key(5)));
  }

  private Opening opening(FamilyOptions family, DatabaseOptions options) {
    return RocksDb.at(folder.resolve("db")).options(options.statistics(StatisticsLevel.TICKERS)).defaults(family);
  }

  private static void fill(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(i), new byte[100]);
    }
    db.flush();
    db.compact(KeyRange.all());
  }

  private static List<String> together(KeyReader reader, List<KeyRange> ranges) {
    List<String> rows = new ArrayList<>();
    reader.scan(ranges, row -> rows.add(new String(row.keyBytes()) + row.valueSize()));
    return rows;
  }

  private static List<String> oneByOne(KeyReader reader, List<KeyRange> ranges) {
    List<String> rows = new ArrayList<>();
    for (KeyRange range : ranges) {
      reader.scan(range).forEach(row -> rows.add(new String(row.keyBytes()) + row.valueSize()));
    }
    return rows;
  }

  private static long prepared(RocksDb db) {
    return db.metrics().statistics().count(Ticker.MULTISCAN_PREPARE_CALLS);
  }

  private void assertSame(Opening opening, boolean prefetches) {
    try (RocksDb db = opening.open()) {
      fill(db);
    }
    try (RocksDb db = opening.open()) {
      List<String> found = together(db, ranges);
      assertEquals(prefetches, prepared(db) > 0);
      assertEquals(oneByOne(db, ranges), found);
    }
  }

  @Test
  void theRowsAreThoseOfScansOneByOne() {
    assertSame(opening(PLAIN, DatabaseOptions.defaults()), true);
  }

  @Test
  void anEncryptedDatabaseIsReadTogetherToo() {
    EncryptionKeys keys = () -> List.of(new EncryptionKeys.Key("k1", new byte[32]));
    assertSame(opening(PLAIN, DatabaseOptions.defaults().encryption(keys)), true);
  }

  @Test
  void aStrictCacheOfFewBlocksSuffices() {
    try (BlockCache few = BlockCache.strictLru(ByteSize.kib(256))) {
      FamilyOptions family = PLAIN.table(TableOptions.defaults().blockCache(few));
      assertSame(opening(family, DatabaseOptions.defaults()), true);
    }
  }

  @Test
  void otherOrdersAndReadsWithoutCacheAreScannedOneByOne() {
    assertSame(opening(PLAIN.keyOrder(KeyOrder.REVERSE_BYTEWISE), DatabaseOptions.defaults()), false);
    try (RocksDb db = opening(PLAIN.keyOrder(KeyOrder.REVERSE_BYTEWISE), DatabaseOptions.defaults()).open()) {
      KeyReader uncached = db.with(ReadOptions.defaults().fillCache(false));
      assertEquals(oneByOne(db, ranges), together(uncached, ranges));
      assertEquals(0, prepared(db));
    }
  }

  @Test
  void rowsInMemtablesAndOfSnapshotsAreFound() {
    try (RocksDb db = opening(PLAIN, DatabaseOptions.defaults()).open()) {
      fill(db);
      db.put(key(30), new byte[7]);
      db.delete(key(31));
      List<KeyRange> two = List.of(KeyRange.between(key(20), key(40)), KeyRange.between(key(5000), key(5001)));
      List<String> before = oneByOne(db, two);
      try (Snapshot snapshot = db.snapshot()) {
        db.deleteRange(key(0), key(ROWS));
        db.flush();
        assertEquals(before, together(snapshot, two));
        assertEquals(List.of(), together(db, two));
      }
      Collections.reverse(ranges);
      assertEquals(List.of(), together(db, ranges));
    }
  }

  @Test
  void aTransactionSeesItsOwnRows() {
    try (TransactionDb db = TransactionDb.open(folder.resolve("locks"));
        Transaction transaction = db.begin()) {
      db.put(key(1), new byte[1]);
      transaction.put(key(3), new byte[2]);
      List<KeyRange> two = List.of(KeyRange.between(key(0), key(2)), KeyRange.between(key(3), key(4)));
      assertEquals(List.of("0000011", "0000032"), together(transaction, two));
      assertThrowsExactly(UnsupportedOperationException.class, () -> together(transaction.forUpdate(), two));
    }
  }

  @Test
  void anExceptionOfTheReceiverEndsTheScan() {
    try (RocksDb db = opening(PLAIN, DatabaseOptions.defaults()).open()) {
      fill(db);
      IllegalStateException thrown = new IllegalStateException("enough");
      assertEquals(
          thrown,
          assertThrowsExactly(
              IllegalStateException.class, () -> db.scan(ranges, (Row _) -> { throw thrown; })));
      assertThrowsExactly(NullPointerException.class, () -> db.scan(Collections.singletonList(null), _ -> {}));
      db.scan(List.of(), _ -> { throw thrown; });
      assertTrue(together(db, ranges).size() > 4000);
    }
  }
}
