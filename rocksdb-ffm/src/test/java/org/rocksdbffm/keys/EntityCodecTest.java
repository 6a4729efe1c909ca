/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Columns;
import org.rocksdbffm.EntityCodec;
import org.rocksdbffm.Expiry;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.IndexedBatch;
import org.rocksdbffm.KeyCodec;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.OptimisticTransactionDb;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.Transaction;
import org.rocksdbffm.TransactionDb;
import org.rocksdbffm.TransactionalDb;
import org.rocksdbffm.TypedKeys;
import org.rocksdbffm.TypedReader;
import org.rocksdbffm.TypedReader.Entry;
import org.rocksdbffm.ValueCodec;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.DatabaseCase;

/** Tests records as entities: each type of component, missing and unknown columns, and each kind of typed keys. */
@EnabledOnOs(OS.LINUX)
class EntityCodecTest extends DatabaseCase {
  private enum Level {
    LOW,
    HIGH {
      @Override
      public String toString() {
        return "not the name";
      }
    }
  }

  private record User(String name, String city, Integer born) {}

  private record City(String city) {}

  private record Primitives(boolean a, byte b, short c, int d, long e, float f, double g) {}

  private record Wrappers(Boolean a, Byte b, Short c, Integer d, Long e, Float f, Double g) {}

  private record Others(String a, UUID b, Instant c, Duration d, LocalDate e, LocalDateTime f, Level g) {}

  private record Bytes(byte[] bytes) {}

  private record Tagged(String name, List<String> tags) {}

  private record Nothing() {}

  private record Strict(String name, String city) {
    private Strict {
      if (city == null) {
        throw new IllegalStateException("a city is needed");
      }
    }
  }

  private static <R extends Record> EntityCodec<R> of(Class<R> type) {
    return EntityCodec.of(MethodHandles.lookup(), type);
  }

  private <R extends Record> TypedKeys<Long, R> keys(Class<R> type) {
    return db.typed(KeyCodec.int64(), of(type));
  }

  private <R extends Record> void assertStored(R record) {
    @SuppressWarnings("unchecked") // the class of the record
    TypedKeys<Long, R> keys = keys((Class<R>) record.getClass());
    keys.put(1L, record);
    assertEquals(record, keys.get(1L));
    db.flush();
    assertEquals(record, keys.get(1L));
  }

  @Test
  void aRecordOfEachTypeIsReadAsItWasWritten() {
    assertStored(
        new Primitives(true, Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, -0.0f, 1e300));
    assertStored(new Wrappers(false, (byte) 1, (short) 2, 3, 4L, Float.NaN, Double.NEGATIVE_INFINITY));
    assertStored(new Wrappers(null, null, null, null, null, null, null));
    assertStored(
        new Others(
            "", new UUID(1, -2), Instant.MIN, Duration.ofNanos(-1), LocalDate.MAX, LocalDateTime.MIN, Level.HIGH));
    assertStored(new Others(null, null, null, null, null, null, Level.LOW));
    assertStored(new Nothing());
    keys(Bytes.class).put(1L, new Bytes(new byte[] {0, 1, 0}));
    assertArrayEquals(new byte[] {0, 1, 0}, keys(Bytes.class).get(1L).bytes());
  }

  @Test
  void aComponentIsAColumnOfItsNameAndANullComponentIsNone() {
    keys(User.class).put(1L, new User("Ada", "", null));
    db.entities().get(
        KeyCodec.int64().encode(1L),
        entity -> {
          assertEquals(2, entity.count());
          assertArrayEquals(bytes("Ada"), entity.get("name"));
          assertArrayEquals(new byte[0], entity.get("city"));
          return null;
        });
    assertEquals(new User("Ada", "", null), keys(User.class).get(1L));
  }

  @Test
  void aRecordWithFewerComponentsIsAProjectionWhoseColumnsAloneAreDecoded() {
    db.putEntity(
        KeyCodec.int64().encode(1L),
        new Columns().add("city", bytes("London")).add("born", bytes("no number of four bytes")));
    assertEquals(new City("London"), keys(City.class).get(1L));
    IllegalArgumentException refused =
        assertThrowsExactly(IllegalArgumentException.class, () -> keys(User.class).get(1L));
    assertTrue(refused.getMessage().contains("component 'born' of "), refused.getMessage());
    assertTrue(refused.getMessage().startsWith("value in "), refused.getMessage());
  }

  @Test
  void anAddedComponentIsNullInOldRowsAndRefusedIfPrimitive() {
    record Older(String name) {}

    record Newer(String name, int born) {}

    keys(Older.class).put(1L, new Older("Ada"));
    assertEquals(new User("Ada", null, null), keys(User.class).get(1L));
    String message = assertThrowsExactly(IllegalArgumentException.class, () -> keys(Newer.class).get(1L)).getMessage();
    assertTrue(message.contains("component 'born' of ") && message.contains("wrapper class"), message);
    assertTrue(
        assertThrowsExactly(IllegalStateException.class, () -> keys(Strict.class).get(1L))
            .getMessage()
            .contains("a city is needed"));
  }

  @Test
  void aPutReplacesTheColumnsThatTheRecordLacks() {
    keys(User.class).put(1L, new User("Ada", "London", 1815));
    keys(City.class).put(1L, new City("Paris"));
    assertEquals(new User(null, "Paris", null), keys(User.class).get(1L));
  }

  @Test
  void aRenamedComponentKeepsItsColumnAndTheEmptyNameIsTheDefaultColumn() {
    record Moved(String name, String town) {}

    keys(User.class).put(1L, new User("Ada", "London", 1815));
    TypedKeys<Long, Moved> moved =
        db.typed(KeyCodec.int64(), of(Moved.class).named("town", "city").named("name", ""));
    assertEquals(new Moved(null, "London"), moved.get(1L));
    moved.put(2L, new Moved("Ada", "London"));
    assertArrayEquals(bytes("Ada"), db.get(KeyCodec.int64().encode(2L)));
    db.put(KeyCodec.int64().encode(3L), bytes("a plain value"));
    assertEquals(new Moved("a plain value", null), moved.get(3L));
    TypedKeys<Long, Moved> twice = db.typed(KeyCodec.int64(), of(Moved.class).named("town", "name"));
    assertThrowsExactly(IllegalArgumentException.class, () -> twice.put(1L, new Moved("a", "b")));
  }

  @Test
  void aTypeWithoutACodecIsRefusedByNameUntilItHasOne() {
    TypedKeys<Long, Tagged> none = keys(Tagged.class);
    for (Tagged tagged : List.of(new Tagged("a", List.of("b")), new Tagged("a", null))) {
      String message = assertThrowsExactly(IllegalArgumentException.class, () -> none.put(1L, tagged)).getMessage();
      assertTrue(message.contains("component 'tags'") && message.contains("java.util.List"), message);
    }
    ValueCodec<List<String>> words =
        ValueCodec.of(list -> bytes(String.join(" ", list)), text -> List.of(new String(text).split(" ")));
    TypedKeys<Long, Tagged> tagged = db.typed(KeyCodec.int64(), of(Tagged.class).with("tags", words));
    tagged.put(1L, new Tagged("a", List.of("b", "c")));
    assertEquals(new Tagged("a", List.of("b", "c")), tagged.get(1L));
    tagged.put(1L, new Tagged("a", null));
    assertEquals(new Tagged("a", null), tagged.get(1L));
    assertThrowsExactly(IllegalArgumentException.class, () -> of(Tagged.class).with("tag", words));
    assertThrowsExactly(IllegalArgumentException.class, () -> of(Tagged.class).named("tag", "a"));
    assertThrowsExactly(IllegalArgumentException.class, () -> of(Tagged.class).named("tags", "\ud800"));
  }

  @Test
  void aCodecThatDoesNotTakeAValueIsNamedByItsComponent() {
    EntityCodec<User> users = of(User.class);
    User ada = new User("Ada", "London", 1815);
    List<ValueCodec<?>> wrong =
        List.of(
            KeyCodec.uuid(),
            ValueCodec.of(text -> null, text -> ""),
            KeyCodec.string().map((String text) -> Level.valueOf(text).name(), text -> text));
    for (ValueCodec<?> each : wrong) {
      String message =
          assertThrows(RuntimeException.class, () -> users.with("city", each).encode(ada)).getMessage();
      assertTrue(message.startsWith("component 'city' of " + User.class.getName() + ": "), message);
    }
  }

  @Test
  void aDecodedNullForAPrimitiveComponentAndAnUnknownConstantAreRefused() {
    record Count(int count) {}

    record Graded(Level level) {}

    db.putEntity(KeyCodec.int64().encode(1L), new Columns().add("count", bytes("1")).add("level", bytes("MIDDLE")));
    TypedKeys<Long, Count> counts =
        db.typed(KeyCodec.int64(), of(Count.class).with("count", ValueCodec.of(value -> new byte[1], text -> null)));
    assertThrowsExactly(IllegalArgumentException.class, () -> counts.get(1L));
    String message =
        assertThrowsExactly(IllegalArgumentException.class, () -> keys(Graded.class).get(1L)).getMessage();
    assertTrue(message.contains("'MIDDLE'") && message.contains("component 'level'"), message);
  }

  @Test
  void aLookupWithoutAccessIsRefused() {
    String message =
        assertThrowsExactly(
                IllegalArgumentException.class, () -> EntityCodec.of(MethodHandles.publicLookup(), City.class))
            .getMessage();
    assertTrue(message.startsWith("lookup: ") && message.contains("City"), message);
  }

  @Test
  void recordsAreReadTogetherInOrderInPagesAndBackward() {
    TypedKeys<Long, City> cities = keys(City.class);
    Map<Long, City> rows = new HashMap<>();
    for (long i = 0; i < 100; i++) {
      rows.put(i, new City("c".repeat((int) i)));
    }
    cities.putAll(rows);
    assertEquals(Arrays.asList(rows.get(7L), null, rows.get(0L)), cities.multiGet(List.of(7L, 200L, 0L)));
    List<Entry<Long, City>> expected = rows.keySet().stream().sorted().map(i -> new Entry<>(i, rows.get(i))).toList();
    try (Stream<Entry<Long, City>> all = cities.stream(KeyRange.all());
        Stream<Entry<Long, City>> parallel = cities.stream(KeyRange.all()).parallel();
        Stream<Entry<Long, City>> backward = cities.streamBackward(KeyRange.all())) {
      assertEquals(expected, all.toList());
      assertEquals(expected, parallel.toList());
      assertEquals(expected.reversed(), backward.toList());
    }
    assertEquals(expected.subList(5, 8), cities.page(KeyRange.all(), 4L, 3));
    assertEquals(expected.getFirst(), cities.first(KeyRange.all()));
    assertEquals(expected.getLast(), cities.last(KeyRange.all()));
    assertNull(cities.first(KeyCodec.int64().from(100L)));
    assertTrue(cities.contains(0L));
    assertFalse(cities.contains(100L));
    assertSame(expected.getFirst().value().getClass(), City.class);
    cities.delete(0L);
    cities.deleteRange(1L, 99L);
    assertEquals(List.of(expected.getLast()), cities.page(KeyRange.all(), 100));
  }

  @Test
  void snapshotsFamiliesBatchesAndIndexedBatchesHaveRecords() {
    ColumnFamily family = db.createFamily("other", FamilyOptions.defaults());
    TypedKeys<Long, City> others = family.typed(KeyCodec.int64(), of(City.class));
    TypedKeys<Long, City> cities = keys(City.class);
    WriteBatch batch = new WriteBatch();
    batch.in(cities).put(1L, new City("Rome"));
    batch.in(others).put(1L, new City("Oslo"));
    db.write(batch);
    try (Snapshot snapshot = db.snapshot();
        IndexedBatch indexed = db.indexedBatch()) {
      indexed.in(cities).put(1L, new City("Bonn"));
      indexed.in(cities).put(2L, new City("Kiel"));
      cities.delete(1L);
      assertEquals(new City("Rome"), snapshot.of(cities).get(1L));
      assertEquals(List.of(new City("Oslo")), snapshot.of(others).multiGet(List.of(1L)));
      TypedReader<Long, City> above = indexed.in(cities);
      assertEquals(List.of(new City("Bonn"), new City("Kiel")), above.multiGet(List.of(1L, 2L)));
      assertEquals(2, above.page(KeyRange.all(), 5).size());
      assertEquals(new Entry<>(2L, new City("Kiel")), above.last(KeyRange.all()));
    }
  }

  @Test
  void transactionsPutReadAndLockRecords() {
    db.close();
    try (TransactionDb locking = TransactionDb.open(folder.resolve("locking"));
        OptimisticTransactionDb optimistic = OptimisticTransactionDb.open(folder.resolve("optimistic"))) {
      for (TransactionalDb each : List.of(locking, optimistic)) {
        TypedKeys<Long, City> cities = each.typed(KeyCodec.int64(), of(City.class));
        try (Transaction transaction = each.begin()) {
          transaction.in(cities).put(1L, new City("Rome"));
          assertEquals(new City("Rome"), transaction.forUpdate(cities).get(1L));
          assertEquals(Arrays.asList(new City("Rome"), null), transaction.in(cities).multiGet(List.of(1L, 2L)));
          assertNull(cities.get(1L));
          transaction.commit();
        }
        assertEquals(new City("Rome"), cities.get(1L));
      }
    }
  }

  @Test
  void mergesAndAgesAreRefused() {
    TypedKeys<Long, City> cities = keys(City.class);
    assertThrowsExactly(UnsupportedOperationException.class, () -> cities.merge(1L, new City("Rome")));
    assertThrowsExactly(UnsupportedOperationException.class, () -> cities.hiding(Expiry.after(Duration.ZERO)));
    assertThrowsExactly(UnsupportedOperationException.class, () -> cities.expiring(Duration.ZERO));
    try (Snapshot snapshot = db.snapshot()) {
      TypedReader<Long, City> reader = snapshot.of(cities);
      assertThrowsExactly(UnsupportedOperationException.class, () -> reader.expiring(Duration.ZERO));
    }
  }

  @Test
  void aStreamThatFailsOrEndsEarlyLeavesNoCursorOpen() {
    TypedKeys<Long, City> cities = keys(City.class);
    cities.put(1L, new City("Rome"));
    db.putEntity(KeyCodec.int64().encode(2L), new Columns().add("city", new byte[] {(byte) 0xff}));
    assertEquals(new City("Rome"), cities.first(KeyRange.all()).value());
    assertThrowsExactly(IllegalArgumentException.class, () -> cities.page(KeyRange.all(), 2));
    assertThrowsExactly(IllegalArgumentException.class, () -> cities.multiGet(List.of(1L, 2L)));
  }
}
