/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.internal.upkeep.Flushes;

class ColumnFamilyTest {
  private static final byte[] KEY = bytes("key");

  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void chooseFolder() {
    folder = temporary.resolve("db");
  }

  private static FamilyOptions defaults() {
    return FamilyOptions.defaults();
  }

  @Test
  void familiesAreSpacesOfTheirOwnAndAreReopened() {
    List<String> names = List.of("a", "with space", "\u00fcml\u00e4ut", "x".repeat(300), "a=b;{c}");
    try (RocksDb db = RocksDb.open(folder)) {
      for (String name : names) {
        ColumnFamily family = db.createFamily(name, defaults());
        assertEquals(name, family.name());
        assertSame(family, db.family(name));
        family.put(KEY, bytes(name));
      }
      assertNull(db.get(KEY));
    }
    assertEquals(names.size() + 1, RocksDb.families(folder).size());
    for (int time = 0; time < 2; time++) {
      try (RocksDb db = RocksDb.open(folder)) {
        names.forEach(name -> assertEquals(name, text(db.family(name).get(KEY))));
        assertEquals(0, db.family("default").id());
      }
    }
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
      names.forEach(name -> assertEquals(name, text(db.family(name).get(KEY))));
    }
  }

  @Test
  void anUnknownNameIsToldWithThoseThatThereAre() {
    try (RocksDb db = RocksDb.open(folder)) {
      var e = assertThrows(IllegalArgumentException.class, () -> db.family("users"));
      assertEquals("name: database " + folder + " has no column family 'users'; it has [default]", e.getMessage());
    }
  }

  @Test
  void aNameWithNulIsRefused() {
    try (RocksDb db = RocksDb.open(folder)) {
      var e = assertThrows(IllegalArgumentException.class, () -> db.createFamily("a\0b", defaults()));
      assertEquals("name: 'a\\0b' has a NUL character, where a name ends", e.getMessage());
      assertEquals(List.of("default"), db.families().stream().map(ColumnFamily::name).toList());
    }
    assertEquals(List.of("default"), RocksDb.families(folder));
  }

  @Test
  void eachFamilyHasOptionsOfItsOwn() {
    FamilyOptions create = defaults();
    Map<String, FamilyOptions> families =
        Map.of(
            "sum", defaults().mergeOperator(MergeOperator.uint64Add()),
            "text", defaults().mergeOperator(MergeOperator.stringAppend(',')),
            "back", defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE));
    for (int time = 1; time <= 2; time++) {
      try (RocksDb db = RocksDb.at(folder).defaults(create).families(families).open()) {
        db.family("sum").merge(KEY, new byte[] {3, 0, 0, 0, 0, 0, 0, 0});
        db.family("text").merge(KEY, bytes("x"));
        db.family("back").put(bytes("a"), KEY);
        db.family("back").put(bytes("b"), KEY);
        assertArrayEquals(new byte[] {(byte) (3 * time), 0, 0, 0, 0, 0, 0, 0}, db.family("sum").get(KEY));
        assertEquals(time == 1 ? "x" : "x,x", text(db.family("text").get(KEY)));
        try (Cursor cursor = db.family("back").cursor()) {
          cursor.first();
          assertEquals("b", text(cursor.keyBytes()));
        }
        assertThrows(IllegalStateException.class, () -> db.merge(KEY, KEY), "the default family has no operator");
      }
    }
  }

  @Test
  void theDefaultFamilysOwnOptionsCountInAReadOnlyDatabaseToo() {
    Map<String, FamilyOptions> families = Map.of("default", defaults().mergeOperator(MergeOperator.stringAppend(',')));
    try (RocksDb db = RocksDb.at(folder).families(families).open()) {
      db.merge(KEY, bytes("a"));
      db.merge(KEY, bytes("b"));
    }
    try (RocksDb db = RocksDb.at(folder).families(families).openReadOnly()) {
      assertEquals("a,b", text(db.get(KEY)));
    }
  }

  private static Set<String> names(RocksDb db) {
    return db.families().stream().map(ColumnFamily::name).collect(Collectors.toSet());
  }

  @Test
  void familiesThatAreNamedAreCreatedUnlessTheyMustExist() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("other", defaults());
    }
    Opening third = RocksDb.at(folder).family("third", defaults());
    var e = assertThrows(RocksDbException.class, () -> third.mustExist().open());
    assertEquals(
        "Invalid argument: Column family not found: third (opening " + folder
            + ": RocksDb.families lists those that there are; an opening for writing creates others, unless it says "
            + "mustExist)",
        e.getMessage());
    assertThrows(RocksDbException.class, third::openReadOnly);
    try (RocksDb db = third.open()) {
      assertEquals(Set.of("default", "other", "third"), names(db));
    }
    assertThrows(IllegalStateException.class, () -> third.onlyNamed().open());
    try (RocksDb db = third.onlyNamed().openReadOnly()) {
      assertEquals(Set.of("default", "third"), names(db));
    }
    try (RocksDb db = RocksDb.at(folder).onlyNamed().openReadOnly()) {
      assertEquals(1, db.families().size(), "a read-only database needs not all");
    }
  }

  @Test
  void aNameIsTakenOnce() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("a", defaults());
      var e = assertThrows(RocksDbException.class, () -> db.createFamily("a", defaults()));
      assertEquals("Invalid argument: Column family already exists (database " + folder + ")", e.getMessage());
    }
  }

  @Test
  void aDroppedFamilyIsReadButNotWrittenAndTheDatabaseGoesOn() {
    try (RocksDb db = RocksDb.open(folder)) {
      ColumnFamily family = db.createFamily("gone", defaults());
      family.put(KEY, bytes("v"));
      family.flush();
      family.put(bytes("k2"), bytes("v2"));
      Snapshot snapshot = family.snapshot();
      Cursor cursor = family.cursor();
      db.dropFamily(family);

      assertEquals("v", text(family.get(KEY)));
      assertEquals("v2", text(snapshot.get(bytes("k2"))));
      assertTrue(cursor.seek(KEY));
      assertEquals("v", text(cursor.valueBytes()));
      assertEquals(List.of("default"), RocksDb.families(folder));
      assertThrows(IllegalArgumentException.class, () -> db.family("gone"));

      String message =
          "column family 'gone' of database " + folder + " is closed, or was dropped: it is not written any more";
      var e = assertThrows(IllegalStateException.class, () -> family.put(KEY, KEY));
      assertEquals(message, e.getMessage());
      assertThrows(IllegalStateException.class, () -> family.delete(KEY));
      WriteBatch batch = new WriteBatch();
      batch.put(KEY, bytes("default"));
      batch.in(family).put(KEY, KEY);
      e = assertThrows(IllegalStateException.class, () -> db.write(batch));
      assertEquals(message, e.getMessage());
      assertNull(db.get(KEY));
      var dropped = assertThrows(RocksDbException.class, family::flush);
      assertEquals(Code.COLUMN_FAMILY_DROPPED, dropped.code());

      cursor.close();
      snapshot.close();
      family.close();
      family.close();
      assertThrows(IllegalStateException.class, () -> family.get(KEY));
      e = assertThrows(IllegalStateException.class, () -> db.write(batch));
      assertEquals(
          "batch: it writes to the column family with number " + family.id() + ", which database " + folder
              + " has no more",
          e.getMessage());
      db.put(KEY, bytes("goes on"));
    }
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals("goes on", text(db.get(KEY)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFamilyThatIsDroppedDuringAFlushOfAllKeepsNoOtherFromIt(boolean isAtomic) {
    DatabaseOptions options = DatabaseOptions.defaults().option("atomic_flush", isAtomic);
    try (RocksDb db = RocksDb.at(folder).options(options).open()) {
      ColumnFamily dropped = db.createFamily("dropped", defaults());
      ColumnFamily other = db.createFamily("other", defaults());
      dropped.put(KEY, KEY);
      other.put(KEY, KEY);
      db.dropFamily(dropped);

      // The list of a flush that has started before the drop.
      Flushes.flush(db.database(), List.of(dropped.nativeFamily(), other.nativeFamily()), true, false);
      assertEquals(0, other.metrics().longProperty("rocksdb.num-entries-active-mem-table").orElseThrow());
    }
  }

  @Test
  void writesToADroppedFamilyAreSkippedOnRequest() {
    try (RocksDb db = RocksDb.open(folder)) {
      ColumnFamily family = db.createFamily("gone", defaults());
      db.dropFamily(family);
      WriteBatch batch = new WriteBatch();
      batch.put(KEY, bytes("default"));
      batch.in(family).put(KEY, KEY);
      WriteOptions skipping = WriteOptions.defaults().ignoreMissingColumnFamilies(true);
      db.with(skipping).write(batch);
      family.with(skipping).put(KEY, KEY);
      assertNull(family.get(KEY));
      assertEquals("default", text(db.get(KEY)));
      family.close();
      db.with(skipping).write(batch);
      db.put(KEY, bytes("goes on"));
    }
  }

  @Test
  void aDroppedNameIsFreeAgain() {
    try (RocksDb db = RocksDb.open(folder)) {
      ColumnFamily old = db.createFamily("a", defaults());
      old.put(KEY, bytes("old"));
      db.dropFamily(old);
      ColumnFamily young = db.createFamily("a", defaults());
      assertNotSame(old, young);
      assertNull(young.get(KEY));
      assertEquals("old", text(old.get(KEY)));
      var e = assertThrows(RocksDbException.class, () -> db.dropFamily(old));
      assertEquals(Code.INVALID_ARGUMENT, e.code());
      assertSame(young, db.family("a"));
      young.put(KEY, KEY);
    }
  }

  @Test
  void theDefaultFamilyStays() {
    try (RocksDb db = RocksDb.open(folder)) {
      ColumnFamily family = db.family("default");
      var e = assertThrows(RocksDbException.class, () -> db.dropFamily(family));
      assertEquals(Code.INVALID_ARGUMENT, e.code());
      family.close();
      family.put(KEY, bytes("v"));
      assertEquals("v", text(db.get(KEY)));
    }
  }

  @Test
  void aFamilyOfAnotherDatabaseIsRefused() {
    try (RocksDb db = RocksDb.open(folder);
        RocksDb other = RocksDb.open(temporary.resolve("other"));
        Snapshot snapshot = db.snapshot()) {
      ColumnFamily family = other.createFamily("a", defaults());
      String place = "family: column family 'a' of database " + temporary.resolve("other");
      WriteBatch batch = new WriteBatch();
      batch.in(family).put(KEY, KEY);
      assertEquals(
          place + " is not of database " + folder,
          assertThrows(IllegalArgumentException.class, () -> db.dropFamily(family)).getMessage());
      assertThrows(IllegalArgumentException.class, () -> db.multiGet().add(family, KEY));
      assertThrows(IllegalArgumentException.class, () -> snapshot.of(family));
      assertThrows(IllegalArgumentException.class, () -> db.write(batch));
      assertThrows(IllegalArgumentException.class, () -> batch.in(db.family("default")));
      other.write(batch);
      assertArrayEquals(KEY, family.get(KEY));
    }
  }

  @Test
  void theFamiliesOfADatabaseAreListed() {
    try (RocksDb db = RocksDb.open(folder)) {
      db.createFamily("b", defaults());
      db.createFamily("a", defaults());
      TreeSet<String> names = new TreeSet<>();
      db.families().forEach(family -> names.add(family.name()));
      assertEquals("[a, b, default]", names.toString());
    }
  }

  @Test
  void ofThreadsThatAskForAFamilyAtOnceEachGetsTheSame() throws Exception {
    try (RocksDb db = RocksDb.open(folder);
        var threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 10; round++) {
        String name = "family" + round;
        List<Callable<ColumnFamily>> asking = Collections.nCopies(4, () -> db.familyOrCreate(name, defaults()));
        Set<ColumnFamily> got = new HashSet<>();
        for (var one : threads.invokeAll(asking)) {
          got.add(one.get());
        }
        assertEquals(Set.of(db.family(name)), got);
      }
      assertThrows(NullPointerException.class, () -> db.familyOrCreate("x", null));
      assertThrows(NullPointerException.class, () -> db.familyOrCreate(null, defaults()));
    }
  }
}
