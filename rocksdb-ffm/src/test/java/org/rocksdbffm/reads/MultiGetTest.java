/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;
import static org.rocksdbffm.tools.Bytes.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeyWriter;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.Bytes;
import org.rocksdbffm.tools.DatabaseCase;
import org.rocksdbffm.tools.Order;

class MultiGetTest extends DatabaseCase {
  private ColumnFamily other;

  @BeforeEach
  void fill() {
    other = db.createFamily("other", FamilyOptions.defaults());
    for (String key : List.of("a", "b", "c")) {
      db.put(bytes(key), bytes("default " + key));
      other.put(bytes(key), bytes("other " + key));
    }
  }

  @Test
  void familiesMixedComeInTheOrderOfTheKeys() {
    MultiGet request =
        db.multiGet()
            .add(bytes("b"))
            .add(other, bytes("a"))
            .add(bytes("none"))
            .add(other, bytes("b"))
            .add(bytes("a"))
            .add(other, bytes("none"))
            .add(bytes("b"));
    assertEquals(7, request.count());
    try (PinnedValues values = request.get()) {
      assertEquals(7, values.count());
      assertEquals(
          Arrays.asList("default b", "other a", null, "other b", "default a", null, "default b"),
          values.toList().stream().map(Bytes::text).toList());
      assertFalse(values.isPresent(2));
      assertEquals(KeyReader.ABSENT, values.size(2));
      assertNull(values.segment(2));
      assertNull(values.get(2));
      assertEquals(9, values.size(0));
      assertTrue(values.segment(6).isReadOnly());
      assertThrows(IndexOutOfBoundsException.class, () -> values.get(7));
      assertThrows(IndexOutOfBoundsException.class, () -> values.segment(-1));
      assertEquals(1, db.pins().count(), "they are pinned together");
    }
  }

  @Test
  void anEmptyRequestHasNoValues() {
    try (PinnedValues values = db.multiGet().get()) {
      assertEquals(0, values.count());
      assertEquals(List.of(), values.toList());
    }
    assertEquals(List.of(), db.multiGet(List.of()));
  }

  @Test
  void aRequestIsClearedAndUsedAgain() {
    MultiGet request = db.multiGet();
    for (int round = 0; round < 3; round++) {
      request.clear().add(bytes("a")).add(other, bytes("b"));
      try (PinnedValues first = request.get();
          PinnedValues second = request.get()) {
        assertEquals("default a", text(first.get(0)));
        assertEquals("other b", text(second.get(1)));
      }
    }
  }

  @Test
  void keysAreCopiedWhenTheyAreAdded() {
    byte[] key = bytes("a");
    MultiGet request = db.multiGet().add(key);
    key[0] = 'b';
    try (PinnedValues values = request.get()) {
      assertEquals("default a", text(values.get(0)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tenThousandKeysOfTwoFamilies(boolean ascending) {
    WriteBatch batch = new WriteBatch();
    KeyWriter inOther = batch.in(other);
    for (int i = 0; i < 10_000; i += 2) {
      batch.put(bytes("%05d".formatted(i)), bytes("d" + i));
      inOther.put(bytes("%05d".formatted(i + 1)), bytes("o" + i));
    }
    db.write(batch);
    db.flush();
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, 10_000).boxed().toList());
    if (!ascending) {
      Collections.shuffle(numbers, new Random(7));
    }
    MultiGet request = db.multiGet();
    numbers.forEach(i -> request.add(bytes("%05d".formatted(i))));
    numbers.forEach(i -> request.add(other, bytes("%05d".formatted(i))));
    try (PinnedValues values = request.get()) {
      for (int place = 0; place < 10_000; place++) {
        int i = numbers.get(place);
        assertEquals(i % 2 == 0 ? "d" + i : null, text(values.get(place)));
        assertEquals(i % 2 == 1 ? "o" + (i - 1) : null, text(values.get(10_000 + place)));
      }
    }
  }

  /** The key orders of the column families. */
  enum Order {
    BYTEWISE(FamilyOptions.defaults()),
    BACKWARD(FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE)),
    BY_NAME(FamilyOptions.defaults().option("comparator", "rocksdb.ReverseBytewiseComparator")),
    BY_TEXT(FamilyOptions.defaults().options("comparator={id=rocksdb.ReverseBytewiseComparator;}")),
    IN_JAVA(FamilyOptions.defaults().keyOrder("backward in Java", (a, b) -> b.compareTo(a)));

    private final FamilyOptions options;

    Order(FamilyOptions options) {
      this.options = options;
    }
  }

  @ParameterizedTest
  @EnumSource
  void allKeysAreFoundInManyFilesWhateverTheFamilysOrderAndThatOfTheKeys(Order order) {
    ColumnFamily family = db.createFamily("many files", order.options.option("target_file_size_base", 1024));
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      keys.add(bytes("%0100d".formatted(i)));
    }
    for (int times = 0; times < 2; times++) {
      keys.forEach(key -> family.put(key, key));
      family.flush();
    }
    family.compact(KeyRange.all());
    assertTrue(Integer.parseInt(family.metrics().property("rocksdb.num-files-at-level6")) >= 3);
    List<byte[]> some = IntStream.range(0, 25).mapToObj(i -> keys.get(20 * i)).toList();
    assertFindsAll(family, some);
    assertFindsAll(family, some.reversed());
    assertFindsAll(family, keys);
    assertFindsAll(family, keys.reversed());
    Collections.shuffle(keys, new Random(11));
    assertFindsAll(family, keys.subList(0, 25));
    keys.addAll(keys.subList(0, 20));
    assertFindsAll(family, keys);
  }

  private static void assertFindsAll(ColumnFamily family, List<byte[]> keys) {
    List<byte[]> copied = family.multiGet(keys);
    MultiGet request = family.multiGet();
    keys.forEach(request::add);
    try (PinnedValues pinned = request.get()) {
      for (int i = 0; i < keys.size(); i++) {
        assertArrayEquals(keys.get(i), copied.get(i));
        assertArrayEquals(keys.get(i), pinned.get(i));
      }
    }
  }

  @Test
  void whatMayNotBeReadFromFilesIsReportedAsIncomplete() {
    Path stored = folder.resolve("stored");
    try (RocksDb first = RocksDb.open(stored)) {
      first.put(bytes("a"), bytes("in a file"));
      first.flush();
    }
    try (RocksDb reopened = RocksDb.open(stored)) {
      reopened.put(bytes("b"), bytes("in memory"));
      KeyReader memory = reopened.with(ReadOptions.defaults().tier(ReadOptions.Tier.BLOCK_CACHE));
      assertArrayEquals(bytes("in memory"), memory.multiGet(List.of(bytes("b"))).get(0));
      var e = assertThrows(RocksDbException.class, () -> memory.multiGet(List.of(bytes("a"), bytes("b"))));
      assertEquals(RocksDbException.Code.INCOMPLETE, e.code());
      e = assertThrows(RocksDbException.class, () -> memory.multiGet().add(bytes("b")).add(bytes("a")).get());
      assertEquals(RocksDbException.Code.INCOMPLETE, e.code());
      assertArrayEquals(bytes("in a file"), reopened.multiGet(List.of(bytes("a"))).get(0));
      assertArrayEquals(bytes("in a file"), memory.multiGet(List.of(bytes("a"))).get(0), "by now it is cached");
    }
  }

  @Test
  void valuesOfNoByteAndOfAMebibyte() {
    db.put(bytes("empty"), new byte[0]);
    db.put(bytes("large"), random(1 << 20, 1));
    for (int round = 0; round < 2; round++) {
      try (PinnedValues values = db.multiGet().add(bytes("empty")).add(bytes("large")).get()) {
        assertTrue(values.isPresent(0));
        assertEquals(0, values.size(0));
        assertEquals(0, values.segment(0).byteSize());
        assertArrayEquals(random(1 << 20, 1), values.get(1));
        assertEquals(-1, values.segment(1).mismatch(MemorySegment.ofArray(random(1 << 20, 1))));
      }
      db.flush();
    }
  }

  @Test
  void aSnapshotsRequestSeesTheSnapshot() {
    try (Snapshot snapshot = db.snapshot()) {
      db.put(bytes("a"), bytes("new"));
      other.delete(bytes("b"));
      try (PinnedValues values = snapshot.multiGet().add(bytes("a")).add(other, bytes("b")).get()) {
        assertEquals("default a", text(values.get(0)));
        assertEquals("other b", text(values.get(1)));
      }
    }
  }

  @Test
  void valuesAreDeadBehindTheLastHolder() throws Exception {
    PinnedValues values = db.multiGet().add(bytes("a")).get();
    MemorySegment segment = values.segment(0);
    PinnedValues.View view = values.retain().view();
    values.close();
    assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
    assertEquals("default a", CompletableFuture.supplyAsync(() -> text(values.get(0))).get());
    values.close();
    assertThrows(IllegalStateException.class, () -> values.get(0));
    assertEquals(9, view.segment(0).byteSize());
    view.close();
    view.close();
    assertThrows(IllegalStateException.class, () -> values.segment(0));
    values.close();
  }

  @Test
  void aRequestWithAClosedFamilyIsRefusedAndReleasesAll() {
    MultiGet request = db.multiGet().add(bytes("a")).add(other, bytes("a"));
    other.close();
    var e = assertThrows(IllegalStateException.class, request::get);
    assertEquals("column family 'other' of database " + folder + " is closed", e.getMessage());
    assertEquals("default a", text(db.get(bytes("a"))));
  }
}
