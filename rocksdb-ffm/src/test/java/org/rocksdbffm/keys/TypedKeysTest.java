/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionOptions;
import org.rocksdbffm.TypedKeys;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.TypedReader.Entry;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Typed keys and values behave as in a sorted map. */
@ExtendWith(LiveObjectsCheck.class)
final class TypedKeysTest {
  private static final ValueCodec<String> TEXT =
      ValueCodec.of(
          text -> text.getBytes(StandardCharsets.UTF_8),
          bytes -> new String(bytes, StandardCharsets.UTF_8));

  @TempDir Path folder;

  private static <K, V> Map<K, V> map(Stream<Entry<K, V>> entries) {
    try (entries) {
      Map<K, V> all = new LinkedHashMap<>();
      entries.forEach(entry -> all.put(entry.key(), entry.value()));
      return all;
    }
  }

  /** Asserts that ranges with each kind of end contain the rows of the map's subrange, for keys of one codec. */
  private <K extends Comparable<K>> void assertRanges(RocksDb db, String family, KeyCodec<K> codec, List<K> some) {
    TypedKeys<K, String> keys = db.createFamily(family, FamilyOptions.defaults()).typed(codec, TEXT);
    TreeMap<K, String> model = new TreeMap<>();
    for (K key : some) {
      keys.put(key, "value of " + key);
      model.put(key, "value of " + key);
    }
    for (K from : some) {
      assertEquals(model.tailMap(from, false), map(keys.stream(codec.after(from))));
      assertEquals(model.headMap(from, true), map(keys.stream(codec.through(from))));
      assertEquals(model.tailMap(from, true), map(keys.stream(codec.from(from))));
      for (K to : some) {
        Map<K, String> expected = from.compareTo(to) > 0 ? Map.of() : model.subMap(from, true, to, true);
        assertEquals(expected, map(keys.stream(codec.closed(from, to))));
        Map<K, String> open = from.compareTo(to) >= 0 ? Map.of() : model.subMap(from, false, to, true);
        assertEquals(open, map(keys.streamBackward(codec.closed(from, to).excludingStart())));
      }
    }
    keys.deleteRange(codec.closed(some.get(1), some.get(2)));
    model.subMap(some.get(1), true, some.get(2), true).clear();
    assertEquals(model, map(keys.stream(KeyRange.all())));
  }

  @Test
  void rangesHaveTheirEndsOrNotAsIsSaid() {
    try (RocksDb db = RocksDb.open(folder)) {
      assertRanges(db, "numbers", KeyCodec.int64(), List.of(Long.MIN_VALUE, -256L, -1L, 0L, 255L, Long.MAX_VALUE));
      assertRanges(db, "texts", KeyCodec.string(), List.of("", "\0", "a", "a\0", "a\0\0", "a\1", "b", "\uffff"));
      assertRanges(db, "floats", KeyCodec.float64(),
          List.of(Double.NEGATIVE_INFINITY, -1.5, 0.0, 2.5, Double.MAX_VALUE));
    }
  }

  private record Reading(String place, long instant) {}

  @Test
  void aRangeOfBeginningsHasAllTuplesThatBeginSo() {
    KeyCodec<Reading> readings =
        KeyCodec.tuple(KeyCodec.string().of(Reading::place), KeyCodec.int64().of(Reading::instant), Reading::new);
    List<String> places = List.of("", "\0", "a", "a\0", "aa", "ab", "b", "\uffff");
    try (RocksDb db = RocksDb.open(folder)) {
      TypedKeys<Reading, String> keys = db.typed(readings, TEXT);
      places.forEach(place ->
          List.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE).forEach(at -> keys.put(new Reading(place, at), place)));
      for (int first = 0; first < places.size(); first++) {
        for (int last = first; last < places.size(); last++) {
          KeyRange range = KeyCodec.string().prefixes(places.get(first), places.get(last));
          assertEquals(
              places.subList(first, last + 1),
              map(keys.stream(range)).keySet().stream().map(Reading::place).distinct().toList());
          assertEquals(3 * (last + 1 - first), map(keys.streamBackward(range)).size());
        }
      }
      assertEquals(Map.of(), map(keys.stream(KeyCodec.string().prefixes("b", "a"))));
    }
  }

  @Test
  void typedKeysAreThoseOfASortedMap() {
    Random random = new Random(7);
    TreeMap<Long, String> model = new TreeMap<>();
    try (RocksDb db = RocksDb.open(folder)) {
      TypedKeys<Long, String> numbers =
          db.familyOrCreate("numbers", FamilyOptions.defaults()).typed(KeyCodec.int64(), TEXT);
      for (int i = 0; i < 2000; i++) {
        long key = random.nextInt(200) - 100;
        switch (random.nextInt(4)) {
          case 0, 1 -> {
            String value = "x".repeat(random.nextInt(5) == 0 ? 5000 : 5) + i;
            numbers.put(key, value);
            model.put(key, value);
          }
          case 2 -> {
            numbers.delete(key);
            model.remove(key);
          }
          default -> {
            numbers.deleteRange(key, key + 3);
            model.subMap(key, key + 3).clear();
          }
        }
        assertEquals(model.get(key), numbers.get(key));
        assertEquals(model.containsKey(key), numbers.contains(key));
      }
      assertEquals(List.copyOf(model.entrySet()), List.copyOf(map(numbers.stream(KeyRange.all())).entrySet()));
      assertEquals(
          List.copyOf(model.subMap(-10L, true, 20L, false).descendingMap().entrySet()),
          List.copyOf(map(numbers.streamBackward(KeyCodec.int64().between(-10L, 20L))).entrySet()));
      List<Long> some = List.of(5L, -7L, 1000L, 5L);
      assertEquals(some.stream().map(model::get).toList(), numbers.multiGet(some));
      assertEquals(0, db.pins().count());
    }
  }

  @Test
  void snapshotsTransactionsAndBatchesHaveThemToo() {
    try (TransactionDb db = TransactionDb.open(folder)) {
      TypedKeys<String, Long> counts = db.typed(KeyCodec.string(), KeyCodec.int64());
      counts.put("apples", 3L);
      try (Snapshot snapshot = db.snapshot();
          Transaction transaction = db.begin();
          IndexedBatch batch = db.indexedBatch()) {
        transaction.in(counts).putAll(Map.of("apples", 4L));
        batch.in(counts).put("pears", 1L);
        assertEquals(4L, transaction.typed(KeyCodec.string(), KeyCodec.int64()).get("apples"));
        assertEquals(Arrays.asList(3L, 1L),
            batch.typed(KeyCodec.string(), KeyCodec.int64()).multiGet(List.of("apples", "pears")));
        assertNull(counts.get("pears"));
        assertNull(transaction.forUpdate(counts).get("locked"));
        try (Transaction other = db.begin(TransactionOptions.defaults().lockTimeout(Duration.ofMillis(1)))) {
          var e = assertThrows(RocksDbException.class, () -> other.in(counts).put("locked", 1L));
          assertEquals(RocksDbException.SubCode.LOCK_TIMEOUT, e.subCode());
        }
        transaction.commit();
        assertEquals(3L, snapshot.of(counts).get("apples"));
        assertEquals(4L, counts.get("apples"));
      }
    }
  }

  @Test
  void aBatchWritesTheTypedKeysOfSeveralFamiliesTogether() {
    try (RocksDb db = RocksDb.open(folder)) {
      TypedKeys<Long, String> orders = db.typed(KeyCodec.int64(), TEXT);
      TypedKeys<String, Long> stock =
          db.createFamily("stock", FamilyOptions.defaults().mergeOperator(MergeOperator.uint64Add()))
              .typed(KeyCodec.string(), ValueCodec.counter());
      WriteBatch batch = new WriteBatch();
      batch.in(orders).putAll(Map.of(1L, "one", 2L, "two", 5L, "five"));
      batch.in(orders).deleteRange(KeyCodec.int64().closed(2L, 5L));
      batch.in(stock).put("apples", 3L);
      batch.in(stock).merge("apples", 4L);
      batch.in(stock).merge("pears", 1L);
      batch.in(stock).delete("pears");
      assertEquals(0, stock.getOrDefault("apples", 0L));
      db.write(batch);
      assertEquals(Map.of(1L, "one"), map(orders.stream(KeyRange.all())));
      assertEquals(7, stock.getOrDefault("apples", 0L));
      assertFalse(stock.contains("pears"));
      long before = db.files().latestSequenceNumber();
      orders.putAll(Map.of(3L, "three", 4L, "four"));
      Map<Long, String> withNull = new LinkedHashMap<>(Map.of(6L, "six"));
      withNull.put(7L, null);
      assertThrows(NullPointerException.class, () -> orders.putAll(withNull));
      assertEquals(before + 2, db.files().latestSequenceNumber());
      assertEquals(List.of(1L, 3L, 4L), List.copyOf(map(orders.stream(KeyRange.all())).keySet()));
      try (RocksDb other = RocksDb.open(folder.resolveSibling("other"))) {
        var thrown =
            assertThrows(IllegalArgumentException.class, () -> batch.in(other.typed(KeyCodec.int64(), TEXT)));
        assertTrue(thrown.getMessage().startsWith("keys: column family 'default' of "), thrown.getMessage());
      }
    }
  }

  @Test
  void pagesGoOnBehindAKeyAndStayInTheirRange() {
    try (RocksDb db = RocksDb.open(folder)) {
      KeyCodec<Long> codec = KeyCodec.int64();
      TypedKeys<Long, String> keys = db.typed(codec, TEXT);
      for (long key = 0; key < 10; key++) {
        keys.put(key, "value " + key);
      }
      KeyRange range = codec.closed(2L, 6L);
      assertEquals(List.of(2L, 3L), keys.page(range, 2).stream().map(Entry::key).toList());
      keys.delete(3L);
      assertEquals(List.of(4L, 5L), keys.page(range, 3L, 2).stream().map(Entry::key).toList());
      assertEquals(List.of(6L), keys.page(range, 5L, 2).stream().map(Entry::key).toList());
      assertEquals(List.of(), keys.page(range, 6L, 2));
      assertEquals(List.of(2L, 4L), keys.page(range, -7L, 2).stream().map(Entry::key).toList());
      assertEquals(List.of(), keys.page(range, 8L, 2));
      assertEquals(new Entry<>(4L, "value 4"), keys.first(codec.from(3L)));
      assertEquals(new Entry<>(2L, "value 2"), keys.last(codec.through(3L)));
      assertNull(keys.first(codec.after(9L)));
      Map<Long, String> all = new LinkedHashMap<>();
      keys.forEach(range, all::put);
      assertEquals(map(keys.stream(range)), all);
      assertEquals(
          "limit: 0 is below one",
          assertThrows(IllegalArgumentException.class, () -> keys.page(range, 0)).getMessage());
    }
  }

  @Test
  void rowsOfAnExpiringViewEndAtTheirAge() {
    Expiry age = Expiry.after(Duration.ofMillis(1));
    try (RocksDb db = RocksDb.at(folder.resolve("aging")).defaults(FamilyOptions.defaults().expiry(age)).open()) {
      TypedKeys<String, String> plain = db.typed(KeyCodec.string(), KeyCodec.string());
      TypedKeys<String, String> hour = plain.expiring(Duration.ofHours(1));
      hour.put("token", "Ada");
      assertEquals("Ada", hour.get("token"));
      assertEquals(1, hour.stream(KeyRange.all()).count());
      Instant written = Instant.now();
      while (!Instant.now().isAfter(written.plusMillis(2))) { // a row of the age itself has not expired
        Thread.onSpinWait();
      }
      assertNull(plain.expiring(Duration.ofMillis(1)).get("token"));
      try (Snapshot snapshot = db.snapshot()) {
        assertEquals("Ada", snapshot.of(plain).expiring(Duration.ofHours(1)).get("token"));
        assertEquals(1, snapshot.count(KeyRange.all()));
      }
      db.flush();
      db.compact(KeyRange.all());
      assertEquals(0, db.count(KeyRange.all()));
    }
  }

  private record Session(String user, Instant end) {}

  @Test
  void aRowHasALifeOfItsOwnAndIsHiddenBehindItsEnd() {
    Instant now = Instant.now();
    ValueCodec<Session> users =
        ValueCodec.inPlace(session -> TEXT.encode(session.user), bytes -> new Session(TEXT.decode(bytes), null));
    for (Expiry.Time form : Expiry.Time.values()) {
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        Expiry atEnd = Expiry.after(Duration.ZERO).time(form).byteOrder(order);
        ValueCodec<Session> codec = atEnd.stamped(Session::end, users);
        try (RocksDb db =
            RocksDb.at(folder.resolve(form + " " + order)).defaults(FamilyOptions.defaults().expiry(atEnd)).open()) {
          TypedKeys<String, Session> all = db.typed(KeyCodec.string(), codec);
          all.put("a", new Session("Ada", now.minusSeconds(5)));
          all.put("b", new Session("Bo", now.plus(Duration.ofDays(1))));
          all.put("c", new Session("Cy", Instant.MAX));
          TypedKeys<String, Session> alive = all.hiding(atEnd);
          assertEquals(new Session("Ada", null), all.get("a"));
          assertNull(alive.get("a"));
          assertFalse(alive.contains("a"));
          assertTrue(alive.contains("b") && !alive.contains("d"));
          assertEquals(Arrays.asList(null, new Session("Cy", null), null), alive.multiGet(List.of("a", "c", "d")));
          assertEquals(List.of("b", "c"), List.copyOf(map(alive.stream(KeyRange.all())).keySet()));
          assertEquals(List.of("c", "b"), List.copyOf(map(alive.streamBackward(KeyRange.all())).keySet()));
          assertEquals("b", alive.first(KeyRange.all()).key());
          assertEquals(2, alive.page(KeyRange.all(), 2).size());
          try (Snapshot snapshot = db.snapshot(); IndexedBatch batch = db.indexedBatch()) {
            assertFalse(snapshot.of(alive).contains("a"));
            assertFalse(batch.in(alive).contains("a"));
          }
          assertThrows(IllegalArgumentException.class, () -> all.put("d", new Session("Di", Instant.EPOCH)));
          db.flush();
          db.compact(KeyRange.all());
          assertEquals(List.of("b", "c"), List.copyOf(map(all.stream(KeyRange.all())).keySet()));
        }
      }
    }
    assertThrows(IllegalArgumentException.class,
        () -> Expiry.after(Duration.ZERO).offset(1).stamped(Session::end, users));
  }

  @Test
  void aCodecThatFailsLeavesNothingPinned() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.put(KeyCodec.string().encode("key"), new byte[5000]);
      ValueCodec<String> failing =
          ValueCodec.of(
              value -> new byte[0],
              bytes -> {
                throw new UnsupportedOperationException("no value");
              });
      TypedReader<String, String> keys = db.typed(KeyCodec.string(), failing);
      assertThrows(UnsupportedOperationException.class, () -> keys.get("key"));
      assertThrows(UnsupportedOperationException.class, () -> keys.multiGet(List.of("key")));
      assertThrows(UnsupportedOperationException.class, () -> map(keys.stream(KeyRange.all())));
      assertTrue(keys.contains("key"));
      assertFalse(keys.contains("other"));
      var thrown =
          assertThrows(IllegalArgumentException.class, () -> db.typed(KeyCodec.string(), KeyCodec.int64()).get("key"));
      assertEquals(
          "value in database " + db.path() + ": bytes: 4992 of 5000 are left behind the last component",
          thrown.getMessage());
      assertEquals(0, db.pins().count());
    }
  }
}
