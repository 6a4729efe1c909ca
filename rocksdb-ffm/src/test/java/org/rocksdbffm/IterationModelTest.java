/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests cursors and scans against a sorted map. */
class IterationModelTest {
  @TempDir Path folder;

  private static TreeMap<byte[], byte[]> modelOf(KeyOrder order) {
    Comparator<byte[]> bytewise = Arrays::compareUnsigned;
    return new TreeMap<>(order == KeyOrder.BYTEWISE ? bytewise : bytewise.reversed());
  }

  private RocksDb open(KeyOrder order) {
    return RocksDb.open(folder, Options.defaults().createIfMissing(true).keyOrder(order));
  }

  @ParameterizedTest
  @CsvSource({"BYTEWISE, 1", "BYTEWISE, 2", "REVERSE_BYTEWISE, 3", "REVERSE_BYTEWISE, 4"})
  void randomMovesOfACursorAreThoseOfTheMap(KeyOrder order, long seed) {
    Random random = new Random(seed);
    TreeMap<byte[], byte[]> model = modelOf(order);
    try (RocksDb db = open(order)) {
      fill(db, model, random, 300);
      for (int round = 0; round < 40; round++) {
        byte[] lower = random.nextBoolean() ? key(random) : null;
        byte[] upper = random.nextBoolean() ? key(random) : null;
        try (Cursor cursor = db.cursor(range(lower, upper))) {
          walk(cursor, within(model, lower, upper), random);
        }
      }
    }
  }

  private static byte[] key(Random random) {
    return random(random.nextInt(3), random.nextInt(200));
  }

  private static void fill(RocksDb db, Map<byte[], byte[]> model, Random random, int rows) {
    for (int i = 0; i < rows; i++) {
      byte[] key = key(random);
      if (random.nextInt(4) == 0) {
        db.delete(key);
        model.remove(key);
      } else {
        byte[] value = random(random.nextInt(6) == 0 ? 3000 : random.nextInt(50), i);
        db.put(key, value);
        model.put(key, value);
      }
      if (random.nextInt(100) == 0) {
        db.flush();
      }
    }
  }

  private static KeyRange range(byte[] lower, byte[] upper) {
    if (lower == null) {
      return upper == null ? KeyRange.all() : KeyRange.until(upper);
    }
    return upper == null ? KeyRange.from(lower) : KeyRange.between(lower, upper);
  }

  private static NavigableMap<byte[], byte[]> within(
      TreeMap<byte[], byte[]> model, byte[] lower, byte[] upper) {
    if (lower != null && upper != null && model.comparator().compare(lower, upper) > 0) {
      return new TreeMap<>(model.comparator());
    }
    NavigableMap<byte[], byte[]> part = lower == null ? model : model.tailMap(lower, true);
    return upper == null ? part : part.headMap(upper, false);
  }

  private static void walk(Cursor cursor, NavigableMap<byte[], byte[]> map, Random random) {
    Map.Entry<byte[], byte[]> at = null;
    for (int step = 0; step < 100; step++) {
      byte[] key = key(random);
      boolean found;
      int move = random.nextInt(at == null ? 4 : 20);
      switch (move) {
        case 0 -> {
          found = cursor.first();
          at = map.firstEntry();
        }
        case 1 -> {
          found = cursor.last();
          at = map.lastEntry();
        }
        case 2 -> {
          found = cursor.seek(key);
          at = map.ceilingEntry(key);
        }
        case 3 -> {
          found = cursor.seekForPrevious(key);
          at = map.floorEntry(key);
        }
        default -> {
          found = move % 2 == 0 ? cursor.next() : cursor.previous();
          at = move % 2 == 0 ? map.higherEntry(at.getKey()) : map.lowerEntry(at.getKey());
        }
      }
      assertEquals(at != null, found);
      assertEquals(found, cursor.hasRow());
      if (found) {
        assertArrayEquals(at.getKey(), cursor.keyBytes());
        assertArrayEquals(at.getValue(), cursor.valueBytes());
        assertEquals(at.getValue().length, cursor.valueSize());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"BYTEWISE, 5", "REVERSE_BYTEWISE, 6"})
  void randomRangesScanAsTheMapDoes(KeyOrder order, long seed) {
    Random random = new Random(seed);
    TreeMap<byte[], byte[]> model = modelOf(order);
    try (RocksDb db = open(order)) {
      fill(db, model, random, 2000);
      for (int round = 0; round < 60; round++) {
        byte[] lower = random.nextBoolean() ? key(random) : null;
        byte[] upper = random.nextBoolean() ? key(random) : null;
        NavigableMap<byte[], byte[]> part = within(model, lower, upper);
        try (Scan scan = db.scan(range(lower, upper))) {
          assertRows(part, scan);
        }
        try (Scan scan = db.scanBackward(range(lower, upper))) {
          assertRows(part.descendingMap(), scan);
        }
      }
    }
  }

  private static void assertRows(NavigableMap<byte[], byte[]> expected, Scan scan) {
    for (Map.Entry<byte[], byte[]> row : expected.entrySet()) {
      assertEquals(true, scan.next());
      assertArrayEquals(row.getKey(), scan.keyBytes());
      assertArrayEquals(row.getValue(), scan.valueBytes());
    }
    assertEquals(false, scan.next());
    assertEquals(false, scan.next());
  }

  @Test
  void aHundredThousandRowsScanBothWays() {
    TreeMap<byte[], byte[]> model = modelOf(KeyOrder.BYTEWISE);
    Random random = new Random(7);
    try (RocksDb db = open(KeyOrder.BYTEWISE)) {
      WriteBatch batch = new WriteBatch(ByteSize.mib(1));
      for (int i = 0; i < 100_000; i++) {
        byte[] key = bytes("key" + random.nextInt(1_000_000));
        byte[] value = random(random.nextInt(60), i);
        batch.put(key, value);
        model.put(key, value);
        if (batch.size().bytes() > 1 << 20) {
          db.write(batch);
          batch.clear();
        }
        if (i == 70_000) {
          db.flush();
        }
      }
      db.write(batch);
      try (Scan scan = db.scan(KeyRange.all())) {
        assertRows(model, scan);
      }
      try (Scan scan = db.scanBackward(KeyRange.all())) {
        assertRows(model.descendingMap(), scan);
      }
      assertEquals(model.size(), db.stream(KeyRange.all(), Row::keySize).count());
    }
  }
}
