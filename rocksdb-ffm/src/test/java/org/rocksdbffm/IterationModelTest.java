/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

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
import org.rocksdbffm.tools.SortedMapCheck;

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
        SortedMapCheck part = new SortedMapCheck(range(lower, upper), within(model, lower, upper));
        try (Cursor cursor = db.cursor(part.range())) {
          part.walk(cursor, random, IterationModelTest::key, 100, 20);
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
        SortedMapCheck part = new SortedMapCheck(range(lower, upper), within(model, lower, upper));
        part.assertForward(db.scan(part.range()));
        part.assertBackward(db.scanBackward(part.range()));
      }
    }
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
      SortedMapCheck all = new SortedMapCheck(KeyRange.all(), model);
      all.assertForward(db.scan(KeyRange.all()));
      all.assertBackward(db.scanBackward(KeyRange.all()));
      assertEquals(model.size(), db.stream(KeyRange.all(), Row::keySize).count());
    }
  }
}
