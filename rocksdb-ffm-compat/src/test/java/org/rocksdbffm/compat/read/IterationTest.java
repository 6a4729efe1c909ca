/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** An iterator is on the same entry as with rocksdbjni after any moves, with any read-ahead. */
@Tag("oracle")
class IterationTest {
  private static final int KEYS = 3000;

  @TempDir Path folder;

  private final TreeMap<String, byte[]> model = new TreeMap<>();

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Mostly small values; some too large to be copied, some larger than the whole buffer. */
  private RocksDB filled(Options options, Random random) throws RocksDBException {
    RocksDB db = RocksDB.open(options.setCreateIfMissing(true), folder.toString());
    for (int i = 0; i < KEYS; i++) {
      String key = "%05d".formatted(random.nextInt(100_000)) + "k".repeat(random.nextInt(20));
      int size = random.nextInt(100) == 0 ? 1000 + random.nextInt(30_000) : random.nextInt(300);
      byte[] value = new byte[size];
      random.nextBytes(value);
      db.put(bytes(key), value);
      model.put(key, value);
    }
    return db;
  }

  private void assertAt(Map.Entry<String, byte[]> expected, RocksIterator iterator) {
    assertEquals(expected != null, iterator.isValid());
    if (expected != null) {
      assertEquals(expected.getKey(), new String(iterator.key(), UTF_8));
      assertArrayEquals(expected.getValue(), iterator.value());
      ByteBuffer direct = ByteBuffer.allocateDirect(100);
      assertEquals(expected.getKey().length(), iterator.key(direct));
      assertEquals(expected.getKey(), UTF_8.decode(direct).toString());
      byte[] part = new byte[8];
      assertEquals(expected.getValue().length, iterator.value(part));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stepsOfAnyNumberInAnyDirectionLeadWhereTheyShould(boolean bounded) throws RocksDBException {
    Random random = new Random(bounded ? 1 : 2);
    try (Options options = new Options();
        RocksDB db = filled(options, random);
        Slice lower = new Slice("20000");
        Slice upper = new Slice("80000");
        ReadOptions reads = new ReadOptions()) {
      if (bounded) {
        reads.setIterateLowerBound(lower).setIterateUpperBound(upper);
        model.headMap("20000").clear();
        model.tailMap("80000").clear();
      }
      try (RocksIterator iterator = db.newIterator(reads)) {
        for (int walk = 0; walk < 400; walk++) {
          Map.Entry<String, byte[]> at = start(random, iterator);
          assertAt(at, iterator);
          for (int turn = 0; turn < 4 && at != null; turn++) {
            boolean forward = random.nextBoolean();
            int steps = random.nextInt(random.nextInt(10) == 0 ? 1500 : 60);
            for (int i = 0; i < steps && at != null; i++) {
              at = forward ? model.higherEntry(at.getKey()) : model.lowerEntry(at.getKey());
              if (forward) {
                iterator.next();
              } else {
                iterator.prev();
              }
              if (i % 5 == 0) {
                assertAt(at, iterator);
              }
            }
            assertAt(at, iterator);
          }
          iterator.status();
        }
      }
    }
  }

  private Map.Entry<String, byte[]> start(Random random, RocksIterator iterator) {
    String target = "%05d".formatted(20_000 + random.nextInt(60_000));
    switch (random.nextInt(6)) {
      case 0 -> {
        iterator.seekToFirst();
        return model.firstEntry();
      }
      case 1 -> {
        iterator.seekToLast();
        return model.lastEntry();
      }
      case 2, 3 -> {
        iterator.seek(bytes(target));
        return model.ceilingEntry(target);
      }
      default -> {
        iterator.seekForPrev(bytes(target));
        return model.floorEntry(target);
      }
    }
  }

  @Test
  void anIteratorSeesNothingOfWhatIsWrittenWhileItGoesOn() throws RocksDBException {
    try (Options options = new Options();
        RocksDB db = filled(options, new Random(3));
        RocksIterator iterator = db.newIterator()) {
      int rows = 0;
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        db.put(bytes(new String(iterator.key(), UTF_8) + "a"), bytes("new"));
        db.delete(iterator.key());
        rows++;
      }
      assertEquals(model.size(), rows);
      iterator.refresh();
      assertFalse(iterator.isValid());
      iterator.seekToFirst();
      assertTrue(new String(iterator.key(), UTF_8).endsWith("a"));
    }
  }

  @Test
  void aTailingIteratorSeesRowsThatAreAddedBeforeItGetsThere() throws RocksDBException {
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, folder.toString());
        ReadOptions tailing = new ReadOptions().setTailing(true);
        RocksIterator iterator = db.newIterator(tailing)) {
      for (int i = 0; i < 100; i++) {
        db.put(bytes("%03d".formatted(i)), bytes("old"));
      }
      iterator.seekToFirst();
      for (int i = 0; i < 49; i++) {
        iterator.next();
      }
      assertEquals("049", new String(iterator.key(), UTF_8));
      db.put(bytes("050a"), bytes("new"));
      iterator.next();
      iterator.next();
      assertEquals("050a", new String(iterator.key(), UTF_8));
    }
  }
}
