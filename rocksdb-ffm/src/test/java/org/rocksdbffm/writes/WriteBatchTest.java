/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.writes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.DatabaseCase;

class WriteBatchTest extends DatabaseCase {
  private static final byte[] KEY = bytes("key");

  private ColumnFamily other;

  @Override
  protected FamilyOptions options() {
    return FamilyOptions.defaults().mergeOperator(MergeOperator.stringAppend(','));
  }

  @BeforeEach
  void createFamily() {
    other = db.createFamily("other", options());
  }

  /** Returns the writes that a batch passes to a visitor, one per line. */
  private static List<String> shown(WriteBatch batch) {
    List<String> lines = new ArrayList<>();
    batch.forEach((operation, family, key, value) ->
        lines.add(operation + " " + family + " " + shown(key) + (value == null ? "" : " " + shown(value))));
    return lines;
  }

  private static String shown(MemorySegment segment) {
    return Bytes.text(segment.toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void everyOperationIsShownAndWritten() {
    for (KeyWriter writer : new KeyWriter[] {db, other}) {
      for (String key : List.of("d", "s", "r1", "r2")) {
        writer.put(bytes(key), bytes("x"));
      }
    }
    WriteBatch batch = new WriteBatch();
    for (KeyWriter writer : new KeyWriter[] {batch, batch.in(other)}) {
      writer.put(bytes("p"), bytes(""));
      writer.merge(bytes("m"), bytes("1"));
      writer.merge(bytes("m"), bytes("2"));
      writer.delete(bytes("d"));
      writer.singleDelete(bytes("s"));
      writer.deleteRange(bytes("r1"), bytes("r2"));
    }
    List<String> expected = new ArrayList<>();
    for (int id : new int[] {0, other.id()}) {
      expected.addAll(
          List.of("PUT " + id + " p ", "MERGE " + id + " m 1", "MERGE " + id + " m 2", "DELETE " + id + " d",
              "SINGLE_DELETE " + id + " s", "DELETE_RANGE " + id + " r1 r2"));
    }
    assertEquals(expected, shown(batch));
    assertEquals(12, batch.count());
    db.write(batch);
    assertEquals(12, batch.count(), "the batch stays as it is");
    for (KeyReader reader : new KeyReader[] {db, other}) {
      assertEquals("", text(reader.get(bytes("p"))));
      assertEquals("1,2", text(reader.get(bytes("m"))));
      for (String freed : List.of("d", "s", "r1")) {
        assertNull(reader.get(bytes(freed)), freed);
      }
      assertEquals("x", text(reader.get(bytes("r2"))));
    }
  }

  @Test
  void anEmptyBatchChangesNothing() {
    long before = db.files().latestSequenceNumber();
    db.write(new WriteBatch());
    assertEquals(before, db.files().latestSequenceNumber());
    assertEquals(List.of(), shown(new WriteBatch()));
  }

  @Test
  void savePointsNest() {
    WriteBatch batch = new WriteBatch();
    batch.put(bytes("1"), KEY);
    batch.setSavePoint();
    batch.put(bytes("2"), KEY);
    batch.setSavePoint();
    batch.in(other).put(bytes("3"), KEY);
    batch.rollbackToSavePoint();
    assertEquals(2, batch.count());
    batch.setSavePoint();
    batch.put(bytes("4"), KEY);
    batch.popSavePoint();
    assertEquals(List.of("PUT 0 1 key", "PUT 0 2 key", "PUT 0 4 key"), shown(batch));
    batch.rollbackToSavePoint();
    assertEquals(List.of("PUT 0 1 key"), shown(batch));
    var e = assertThrows(IllegalStateException.class, batch::rollbackToSavePoint);
    assertEquals("the batch has no save point: call setSavePoint first", e.getMessage());
    assertThrows(IllegalStateException.class, batch::popSavePoint);
    db.write(batch);
    assertArrayEquals(KEY, db.get(bytes("1")));
    assertNull(db.get(bytes("2")));
    assertNull(other.get(bytes("3")));
  }

  @Test
  void whatWasRolledBackIsNotChecked() {
    WriteBatch batch = new WriteBatch();
    batch.setSavePoint();
    batch.in(other).put(KEY, KEY);
    batch.deleteRange(bytes("b"), bytes("a"));
    batch.rollbackToSavePoint();
    batch.put(KEY, bytes("v"));
    db.dropFamily(other);
    db.write(batch);
    assertEquals("v", text(db.get(KEY)));
  }

  @Test
  void aClearedBatchIsUsedAgain() {
    WriteBatch batch = new WriteBatch();
    KeyWriter inOther = batch.in(other);
    long empty = batch.size().bytes();
    for (int round = 0; round < 3; round++) {
      batch.setSavePoint();
      inOther.put(KEY, bytes("round " + round));
      db.write(batch);
      assertEquals("round " + round, text(other.get(KEY)));
      batch.clear();
      assertEquals(0, batch.count());
      assertEquals(empty, batch.size().bytes());
      assertThrows(IllegalStateException.class, batch::popSavePoint);
    }
  }

  @Test
  void aVisitorMayChangeTheBatchAndKeepWhatItWasShown() {
    WriteBatch batch = new WriteBatch();
    batch.put(bytes("a"), bytes("1"));
    batch.put(bytes("b"), bytes("2"));
    List<MemorySegment> kept = new ArrayList<>();
    batch.forEach((operation, family, key, value) -> {
      kept.add(key);
      batch.clear();
      batch.put(bytes("c"), random(5000, 1));
      shown(batch);
    });
    assertEquals(2, kept.size());
    assertEquals("b", shown(kept.get(1)));
    assertTrue(kept.get(0).isReadOnly());
    assertEquals(1, batch.count());
  }

  @Test
  void aVisitorMayThrow() {
    WriteBatch batch = new WriteBatch();
    batch.delete(KEY);
    assertThrows(AssertionError.class, () -> batch.forEach((operation, family, key, value) -> {
      throw new AssertionError(operation);
    }));
    batch.delete(KEY);
    assertEquals(2, batch.count());
  }

  @ParameterizedTest
  @ValueSource(ints = {15 << 10, 17 << 10, 1 << 20, 5 << 20})
  void batchesOfAnySizeAreWritten(int size) {
    WriteBatch batch = new WriteBatch(ByteSize.bytes(0));
    int rows = size / 1000;
    for (int i = 0; i < rows; i++) {
      (i % 2 == 0 ? batch : batch.in(other)).put(bytes("key" + i), random(990, i));
    }
    assertTrue(batch.size().bytes() > size * 0.97, batch.size() + " of " + size);
    db.write(batch);
    for (int i = 0; i < rows; i++) {
      assertArrayEquals(random(990, i), (i % 2 == 0 ? db : other).get(bytes("key" + i)));
    }
  }

  @Test
  void theCapacityIsBelow2GiB() {
    var e = assertThrows(IllegalArgumentException.class, () -> new WriteBatch(ByteSize.gib(2)));
    assertEquals("capacity: 2 GiB, but a batch has less than 2 GiB", e.getMessage());
  }

  @Test
  void twoThreadsAtOnceAreRefused() throws Exception {
    WriteBatch batch = new WriteBatch();
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<Integer> refusals = CompletableFuture.supplyAsync(() -> fill(batch, go));
    go.countDown();
    int refused = fill(batch, go) + refusals.join();
    assertEquals(200_000 - refused, batch.count());
    assertEquals(batch.count(), shown(batch).size(), "the batch is whole");
  }

  private static int fill(WriteBatch batch, CountDownLatch go) {
    int refused = 0;
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    for (int i = 0; i < 100_000; i++) {
      try {
        batch.put(KEY, KEY);
      } catch (IllegalStateException e) {
        refused++;
      }
    }
    return refused;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomBatchesDoWhatAMapDoes(long seed) {
    Random random = new Random(seed);
    Model model = new Model();
    WriteBatch batch = new WriteBatch();
    for (int round = 0; round < 200; round++) {
      batch.clear();
      Model before = model.copy();
      for (int i = random.nextInt(30); i > 0; i--) {
        model.random(random, batch, other);
      }
      if (random.nextInt(4) == 0) {
        model = before;
      } else {
        db.write(batch);
      }
      if (random.nextInt(40) == 0) {
        db.flush();
        other.flush();
      }
      model.assertEqualTo(db, other);
    }
  }

  /** Two families as sorted maps, with the operations of a batch. */
  private record Model(List<TreeMap<String, String>> families) {
    Model() {
      this(List.of(new TreeMap<>(), new TreeMap<>()));
    }

    Model copy() {
      return new Model(List.of(new TreeMap<>(families.get(0)), new TreeMap<>(families.get(1))));
    }

    void random(Random random, WriteBatch batch, ColumnFamily other) {
      int which = random.nextInt(2);
      KeyWriter writer = which == 0 ? batch : batch.in(other);
      TreeMap<String, String> map = families.get(which);
      String key = "k" + random.nextInt(50);
      String value = "v" + random.nextInt(1000);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          writer.put(bytes(key), bytes(value));
          map.put(key, value);
        }
        case 2 -> {
          writer.merge(bytes(key), bytes(value));
          map.merge(key, value, (old, operand) -> old + "," + operand);
        }
        case 3 -> {
          writer.delete(bytes(key));
          map.remove(key);
        }
        default -> {
          String[] ends = {key, "k" + random.nextInt(50)};
          Arrays.sort(ends);
          writer.deleteRange(bytes(ends[0]), bytes(ends[1]));
          map.subMap(ends[0], ends[1]).clear();
        }
      }
    }

    void assertEqualTo(KeyReader first, KeyReader second) {
      assertEquals(families.get(0), rows(first));
      assertEquals(families.get(1), rows(second));
    }

    private static TreeMap<String, String> rows(KeyReader reader) {
      TreeMap<String, String> rows = new TreeMap<>();
      try (Scan scan = reader.scan(KeyRange.all())) {
        while (scan.next()) {
          rows.put(text(scan.keyBytes()), text(scan.valueBytes()));
        }
      }
      return rows;
    }
  }
}
