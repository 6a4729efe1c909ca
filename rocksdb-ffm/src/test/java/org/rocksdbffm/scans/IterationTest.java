/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.PrefixExtractor;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Row;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.reports.Statistics;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;

/** Tests cursors, scans and all kinds of ranges together, at the ends of ranges. */
class IterationTest extends IterationCase {
  private List<String> keysBackward(KeyRange range) {
    List<String> keys = new ArrayList<>();
    try (Scan scan = db.scanBackward(range)) {
      while (scan.next()) {
        keys.add(text(scan.keyBytes()));
      }
    }
    return keys;
  }

  @Test
  void anEmptyDatabaseHasNoRow() {
    try (Cursor cursor = db.cursor();
        Scan scan = db.scan(KeyRange.all());
        Scan backward = db.scanBackward(KeyRange.all())) {
      assertFalse(cursor.hasRow());
      assertFalse(cursor.first());
      assertFalse(cursor.last());
      assertFalse(cursor.seek(new byte[0]));
      assertFalse(cursor.seekForPrevious(bytes("x")));
      assertFalse(scan.next());
      assertFalse(scan.next());
      assertFalse(backward.next());
    }
    assertEquals(List.of(), keys(KeyRange.all()));
  }

  @Test
  void oneRowIsFirstAndLast() {
    put("a");
    try (Cursor cursor = db.cursor()) {
      assertTrue(cursor.first());
      assertFalse(cursor.next());
      assertFalse(cursor.hasRow());
      assertTrue(cursor.last());
      assertEquals("va", text(cursor.valueBytes()));
      assertFalse(cursor.previous());
    }
    assertEquals(List.of("a"), keysBackward(KeyRange.all()));
  }

  @Test
  void aRangeHoldsItsFirstKeyAndNotItsEnd() {
    put("a", "ab", "b", "c", "d");
    assertEquals(List.of("ab", "b"), keys(KeyRange.between(bytes("ab"), bytes("c"))));
    assertEquals(List.of("b", "ab"), keysBackward(KeyRange.between(bytes("ab"), bytes("c"))));
    assertEquals(List.of("c", "d"), keys(KeyRange.from(bytes("bz"))));
    assertEquals(List.of("a"), keys(KeyRange.until(bytes("ab"))));
    assertEquals(List.of("a", "ab"), keys(KeyRange.prefix(bytes("a"))));
    assertEquals(List.of("a", "ab", "b", "c", "d"), keys(KeyRange.prefix(new byte[0])));
    assertEquals(List.of("a", "ab", "b", "c", "d"), keys(KeyRange.from(new byte[0])));
    assertEquals(List.of(), keys(KeyRange.until(new byte[0])));
    assertEquals(List.of(), keys(KeyRange.between(bytes("b"), bytes("b"))));
    assertEquals(List.of(), keys(KeyRange.between(bytes("c"), bytes("a"))));
    assertEquals(List.of(), keysBackward(KeyRange.between(bytes("c"), bytes("a"))));
  }

  @Test
  void aPrefixOfLastBytesHasNoEnd() {
    byte[][] keys = {{1}, {(byte) 0xfe, 1}, {(byte) 0xff}, {(byte) 0xff, (byte) 0xff}, {(byte) 0xff, (byte) 0xff, 7}};
    for (byte[] key : keys) {
      db.put(key, key);
    }
    assertEquals(3, db.stream(KeyRange.prefix(new byte[] {(byte) 0xff}), Row::keySize).count());
    assertEquals(2, db.stream(KeyRange.prefix(new byte[] {(byte) 0xff, (byte) 0xff}), Row::keySize).count());
    assertEquals(1, db.stream(KeyRange.prefix(new byte[] {(byte) 0xfe}), Row::keySize).count());
  }

  @Test
  void aScanGoesOnWithoutTheSnapshotThatItWasOpenedOn() {
    put("a", "b", "c");
    for (KeyRange range : List.of(KeyRange.all(), KeyRange.from(bytes("b")))) {
      Scan scan;
      try (Snapshot snapshot = db.snapshot()) {
        scan = snapshot.scan(range);
      }
      db.delete(bytes("c"));
      try (scan) {
        String last = null;
        while (scan.next()) {
          last = text(scan.keyBytes());
        }
        assertEquals("c", last);
      }
      put("c");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsOfAllSizesMixedComeWhole(boolean flushed) {
    int[] sizes = {0, 1, 10, 2040, 2044, 2045, 2046, 2047, 2048, 2049, 8180, 8192, 8193, 33_000, 70_000, 1_000_000};
    int rows = 0;
    for (int round = 0; round < 6; round++) {
      for (int size : sizes) {
        db.put(bytes("%04d".formatted(rows * 7919 % 997)), random(size, rows * 7919 % 997));
        rows++;
      }
    }
    if (flushed) {
      db.flush();
    }
    for (boolean backward : new boolean[] {false, true}) {
      int count = 0;
      try (Scan scan = backward ? db.scanBackward(KeyRange.all()) : db.scan(KeyRange.all())) {
        while (scan.next()) {
          long seed = Long.parseLong(text(scan.keyBytes()));
          assertArrayEquals(random((int) scan.valueSize(), seed), scan.valueBytes());
          assertEquals(4, scan.keySize());
          count++;
        }
      }
      assertEquals(rows, count);
    }
  }

  @Test
  void aReaderThatMayNotReadFilesSaysSo() {
    put("a");
    db.flush();
    db.close();
    try (RocksDb reopened = RocksDb.open(folder)) {
      KeyReader memory = reopened.with(ReadOptions.defaults().tier(ReadOptions.Tier.BLOCK_CACHE));
      var e = assertThrows(RocksDbException.class, () -> memory.get(bytes("a")));
      assertEquals(RocksDbException.Code.INCOMPLETE, e.code());
      try (Scan scan = memory.scan(KeyRange.all())) {
        e = assertThrows(RocksDbException.class, scan::next);
        assertEquals(RocksDbException.Code.INCOMPLETE, e.code());
      }
      assertEquals("va", text(reopened.get(bytes("a"))));
    }
  }

  @Test
  void manyScansAfterEachOtherTakeNoMemory() {
    put("a", "b");
    for (int i = 0; i < 50_000; i++) {
      try (Scan scan = db.scan(KeyRange.all())) {
        scan.next();
      }
    }
  }

  @Test
  void aScanWithinOnePrefixSkipsFilesByTheirFilters() {
    DatabaseOptions counted = DatabaseOptions.defaults().statistics(StatisticsLevel.TICKERS);
    FamilyOptions prefixes =
        FamilyOptions.defaults()
            .prefixExtractor(PrefixExtractor.fixed(2))
            .table(TableOptions.defaults().filter(TableFilter.bloom(20)));
    try (RocksDb other = RocksDb.at(folder.resolve("prefixes")).options(counted).defaults(prefixes).open()) {
      List.of("aa1", "ab", "zz1").forEach(key -> other.put(bytes(key), bytes("v")));
      other.flush();
      for (KeyRange range
          : List.of(KeyRange.prefix(bytes("bb")), KeyRange.prefix(bytes("bb1")),
              KeyRange.between(bytes("bb"), bytes("bbz")))) {
        assertEquals(1, skippedFiles(other, range), range::toString);
      }
      for (KeyRange range
          : List.of(KeyRange.all(), KeyRange.from(bytes("bb")), KeyRange.prefix(bytes("b")),
              KeyRange.between(bytes("bb"), bytes("bd")))) {
        assertEquals(0, skippedFiles(other, range), range::toString);
      }
    }
  }

  private static long skippedFiles(RocksDb of, KeyRange range) {
    Statistics before = of.metrics().statistics();
    try (Scan scan = of.scan(range)) {
      scan.next();
    }
    return of.metrics().statistics().since(before).count(Ticker.NON_LAST_LEVEL_SEEK_FILTERED);
  }
}
