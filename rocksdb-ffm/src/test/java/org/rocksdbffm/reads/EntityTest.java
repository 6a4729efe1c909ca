/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.reads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Columns;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.Entity;
import org.rocksdbffm.EntityReader;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.DatabaseCase;

/** Tests entities of a database: writes, reads, projections, scans, and the limits of names and values. */
class EntityTest extends DatabaseCase {
  static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  static String text(MemorySegment bytes) {
    return bytes == null ? null : new String(bytes.toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }

  static Map<String, String> map(Entity entity) {
    Map<String, String> columns = new TreeMap<>();
    for (int i = 0; i < entity.count(); i++) {
      columns.put(text(entity.name(i)), text(entity.value(i)));
    }
    return columns;
  }

  static Map<String, String> map(KeyReader reader, String key) {
    return reader.entities().get(utf8(key), EntityTest::map);
  }

  static Columns columns(String... namesAndValues) {
    Columns columns = new Columns();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      columns.add(namesAndValues[i], utf8(namesAndValues[i + 1]));
    }
    return columns;
  }

  @Test
  void anEntityIsReadAsItWasWrittenSortedByName() {
    db.putEntity(utf8("k"), columns("b", "2", "", "0", "a", "1"));
    try (Entity entity = db.entities().get(utf8("k"))) {
      assertEquals(3, entity.count());
      assertEquals("", text(entity.name(0)));
      assertEquals("a", text(entity.name(1)));
      assertEquals("2", text(entity.value(2)));
      assertEquals("1", text(entity.value("a")));
      assertEquals("0", text(entity.value("")));
      assertArrayEquals(utf8("2"), entity.get("b"));
      assertNull(entity.value("c"));
      assertNull(entity.get("c"));
      assertEquals(5, entity.size());
    }
    db.flush();
    assertEquals(Map.of("", "0", "a", "1", "b", "2"), map(db, "k"));
    assertNull(db.entities().get(utf8("none")));
  }

  @Test
  void aPlainGetAnswersTheDefaultColumnAndAPlainValueIsTheDefaultColumn() {
    db.putEntity(utf8("with"), columns("", "0", "a", "1"));
    db.putEntity(utf8("without"), columns("a", "1"));
    db.put(utf8("plain"), utf8("v"));
    assertArrayEquals(utf8("0"), db.get(utf8("with")));
    assertArrayEquals(new byte[0], db.get(utf8("without")));
    assertTrue(db.contains(utf8("without")));
    assertEquals(Map.of("", "v"), map(db, "plain"));
    try (Scan rows = db.scan(KeyRange.all())) {
      List<String> values = new ArrayList<>();
      rows.forEach(row -> values.add(text(row.value())));
      assertEquals(List.of("v", "0", ""), values);
    }
  }

  @Test
  void anEntityMayHaveNoColumnsAndEmptyNamesAndValues() {
    db.putEntity(utf8("none"), new Columns());
    db.putEntity(utf8("empty"), columns("", "", "a", ""));
    assertEquals(Map.of(), map(db, "none"));
    assertEquals(Map.of("", "", "a", ""), map(db, "empty"));
    assertArrayEquals(new byte[0], db.get(utf8("none")));
    db.flush();
    assertEquals(Map.of(), map(db, "none"));
    assertEquals(Map.of("", "", "a", ""), map(db, "empty"));
  }

  @Test
  void aNameIsAddedOnceAndTheMessageNamesIt() {
    Columns columns = columns("a", "1");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> columns.add("a", new byte[0]));
    assertTrue(refused.getMessage().contains("'a'"), refused.getMessage());
  }

  /** UTF-8 would make it a question mark, so that another column would be read or written. */
  @Test
  void aNameWithHalfASurrogatePairIsRefused() {
    String expected = "name: '\ud800' has half of a surrogate pair, which UTF-8 cannot express";
    db.putEntity(utf8("k"), columns("?", "1"));
    Entity entity = db.entities().get(utf8("k"));
    EntityReader entities = db.entities();
    for (Executable use :
        List.<Executable>of(
            () -> columns("\ud800", "1"),
            () -> entities.only("?", "\ud800"),
            () -> entity.value("\ud800"),
            () -> entity.get("\ud800"))) {
      assertEquals(expected, assertThrows(IllegalArgumentException.class, use).getMessage());
    }
    entity.close();
  }

  @Test
  void aProjectionHasTheColumnsThatWereAskedFor() {
    db.putEntity(utf8("k"), columns("a", "1", "b", "2", "c", "3"));
    EntityReader some = db.entities().only("c", "x", "a");
    try (Entity entity = some.get(utf8("k"))) {
      assertEquals(3, entity.count());
      assertEquals("c", text(entity.name(0)));
      assertEquals("3", text(entity.value(0)));
      assertNull(entity.value(1));
      assertEquals("1", text(entity.value(2)));
      assertEquals("2", text(entity.value("b")));
      assertThrows(IndexOutOfBoundsException.class, () -> entity.value(3));
    }
    some.forEach(KeyRange.all(), (key, entity) -> assertEquals("3", text(entity.value(0))));
    try (Entity entity = some.multiGet(List.of(utf8("k"))).getFirst()) {
      assertEquals("3", text(entity.value(0)));
    }
  }

  @Test
  void manyColumnsLongNamesAndLargeValuesComeBack() {
    Columns many = new Columns();
    for (int i = 0; i < 100_000; i++) {
      many.add("column-" + i, utf8("" + i));
    }
    db.putEntity(utf8("many"), many);
    byte[] name = new byte[64 << 10];
    Arrays.fill(name, (byte) 0xff);
    byte[] large = new byte[200 << 20];
    large[large.length - 1] = 7;
    db.putEntity(utf8("large"), new Columns().add(name, MemorySegment.ofArray(large)));
    for (int pass = 0; pass < 2; pass++) {
      try (Entity entity = db.entities().get(utf8("many"))) {
        assertEquals(100_000, entity.count());
        assertEquals("77777", text(entity.value("column-77777")));
        assertNull(entity.value("column-100000"));
      }
      try (Entity entity = db.entities().get(utf8("large"))) {
        assertEquals(large.length, entity.value(name).byteSize());
        assertEquals(7, entity.value(0).get(ValueLayout.JAVA_BYTE, large.length - 1));
      }
      db.flush();
    }
  }

  @Test
  void aBatchTakesEntitiesAndShowsThem() {
    WriteBatch batch = new WriteBatch();
    batch.putEntity(utf8("a"), columns("x", "1"));
    batch.putEntity(MemorySegment.ofArray(utf8("b")), columns("y", "2"));
    batch.put(utf8("c"), utf8("3"));
    List<WriteBatch.Operation> operations = new ArrayList<>();
    WriteBatch.from(MemorySegment.ofArray(batch.toBytes()))
        .forEach((operation, family, key, value) -> operations.add(operation));
    assertEquals(
        List.of(WriteBatch.Operation.PUT_ENTITY, WriteBatch.Operation.PUT_ENTITY, WriteBatch.Operation.PUT),
        operations);
    db.write(batch);
    assertEquals(Map.of("x", "1"), map(db, "a"));
    assertEquals(Map.of("y", "2"), map(db, "b"));
    assertEquals(Map.of("", "3"), map(db, "c"));
  }

  @Test
  void aBatchOfBytesIsRefusedUnlessItsEntitiesCanBeRead() {
    WriteBatch batch = new WriteBatch();
    batch.putEntity(utf8("key"), columns("", "0", "ab", "12", "c", "", "d", "345"));
    byte[] bytes = batch.toBytes();
    int refused = 0;
    for (int i = 12; i < bytes.length; i++) {
      for (int change = 1; change < 256; change += 5) {
        byte[] changed = bytes.clone();
        changed[i] ^= (byte) change;
        try {
          db.write(WriteBatch.from(MemorySegment.ofArray(changed)));
        } catch (IllegalArgumentException | IllegalStateException e) {
          refused++;
        } catch (RocksDbException e) {
          assertTrue(e.getMessage().contains("merge"), e.getMessage()); // the family has no merge operator
        }
      }
    }
    assertTrue(refused > 100, refused + " refused");
    int[] rows = new int[1];
    db.entities().forEach(KeyRange.all(), (key, entity) -> rows[0]++);
    db.flush();
    db.compact(KeyRange.all());
    db.entities().forEach(KeyRange.all(), (key, entity) -> rows[0]--);
    assertEquals(0, rows[0]);
  }

  @Test
  void manyKeysAreReadTogetherAndMissingOnesAreNull() {
    db.putEntity(utf8("a"), columns("x", "1"));
    db.put(utf8("b"), utf8("2"));
    db.flush();
    db.putEntity(utf8("c"), columns("z", "3"));
    List<Entity> entities =
        db.entities().multiGet(List.of(utf8("c"), utf8("none"), utf8("a"), utf8("b"), utf8("a"), utf8("")));
    assertEquals(Map.of("z", "3"), map(entities.get(0)));
    assertNull(entities.get(1));
    assertEquals(Map.of("x", "1"), map(entities.get(2)));
    assertEquals(Map.of("", "2"), map(entities.get(3)));
    assertEquals(Map.of("x", "1"), map(entities.get(4)));
    assertNull(entities.get(5));
    entities.stream().filter(entity -> entity != null).forEach(Entity::close);
    assertEquals(List.of(), db.entities().multiGet(List.of()));
  }

  @Test
  void aCursorShowsTheColumnsOfItsRow() {
    db.putEntity(utf8("a"), columns("x", "1"));
    db.put(utf8("b"), new byte[1 << 20]);
    db.putEntity(utf8("c"), columns("", "0".repeat(1 << 20), "z", "3"));
    db.flush();
    try (Cursor cursor = db.cursor()) {
      assertThrows(IllegalStateException.class, cursor::entity);
      assertTrue(cursor.first());
      Entity first = cursor.entity();
      assertEquals(Map.of("x", "1"), map(first));
      assertTrue(cursor.next());
      assertThrows(IllegalStateException.class, () -> first.value("x"));
      assertEquals(1 << 20, cursor.entity().value("").byteSize());
      assertTrue(cursor.next());
      assertEquals(1 << 20, cursor.value().byteSize());
      assertEquals("3", text(cursor.entity().value("z")));
      assertEquals("0".repeat(1 << 20), text(cursor.value()));
      assertTrue(cursor.previous());
      assertTrue(cursor.seek(utf8("c")));
      assertEquals(2, cursor.entity().count());
    }
  }

  @Test
  void anEntityOutlivesItsDatabaseAndColumnFamily() {
    ColumnFamily family = db.createFamily("f", FamilyOptions.defaults());
    KeySpace keys = family;
    keys.putEntity(utf8("k"), columns("a", "1"));
    Entity entity = keys.entities().get(utf8("k"));
    db.close();
    assertEquals("1", text(entity.value("a")));
    entity.close();
    assertThrows(IllegalStateException.class, () -> entity.value("a"));
    EntityReader reader = keys.entities();
    assertThrows(IllegalStateException.class, () -> reader.get(utf8("k")));
    assertThrows(IllegalStateException.class, () -> reader.multiGet(List.of(utf8("k"))));
    assertThrows(IllegalStateException.class, () -> keys.putEntity(utf8("k"), new Columns()));
    assertThrows(IllegalStateException.class, () -> keys.mergeOperands(utf8("k")));
  }

  @Test
  void anotherThreadIsRefusedUntilTheFirstHasClosed() throws InterruptedException {
    db.putEntity(utf8("k"), columns("a", "1"));
    try (Entity entity = db.entities().get(utf8("k"))) {
      assertEquals("1", text(entity.value("a")));
      List<Throwable> thrown = new ArrayList<>();
      Runnable read = () -> thrown.add(assertThrows(RuntimeException.class, () -> entity.get("a")));
      Thread other = Thread.ofPlatform().start(read);
      other.join();
      assertTrue(thrown.getFirst() instanceof WrongThreadException, thrown.toString());
      String message = thrown.getFirst().getMessage();
      assertTrue(message.startsWith("entity of column family") && message.contains("another thread"), message);
    }
  }
}
