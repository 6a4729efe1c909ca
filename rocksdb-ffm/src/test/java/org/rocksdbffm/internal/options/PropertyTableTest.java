/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;

class PropertyTableTest {
  /** Properties that need statistics or a blob cache, which the test's database lacks. */
  private static final Set<String> NOT_NOW =
      Set.of(
          "rocksdb.options-statistics", "rocksdb.blob-cache-capacity", "rocksdb.blob-cache-usage",
          "rocksdb.blob-cache-pinned-usage", "rocksdb.estimate-oldest-key-time");

  @TempDir Path folder;

  @Test
  void theEngineHasEachPropertyOfTheTable() {
    List<String> absent = new ArrayList<>();
    try (RocksDb db = RocksDb.open(folder)) {
      for (String name : PropertyTable.names()) {
        String asked = name.endsWith("-at-level") || name.endsWith("-at-temperature") ? name + "0" : name;
        if (db.metrics().property(asked) == null && !NOT_NOW.contains(name)) {
          absent.add(name);
        }
      }
    }
    assertEquals(List.of(), absent);
    assertTrue(PropertyTable.names().size() > 60, PropertyTable.names().size() + " names");
  }

  @ParameterizedTest
  @CsvSource({
    "rocksdb.estimate-num-key, "
        + "property 'rocksdb.estimate-num-key' is unknown; did you mean 'rocksdb.estimate-num-keys'?",
    "estimate-num-keys, property 'estimate-num-keys' is unknown; did you mean 'rocksdb.estimate-num-keys'?",
    "rocksdb.stats7, property 'rocksdb.stats7' is unknown; did you mean 'rocksdb.stats'?",
    "rocksdb.num-files-at-level, 'property ''rocksdb.num-files-at-level'' ends with the number of a level, from 0 to "
    + "6'",
    "rocksdb.num-files-at-level7, 'property ''rocksdb.num-files-at-level7'' ends with the number of a level, from 0 "
    + "to 6'",
    "rocksdb.num-files-at-level2147483648, 'property ''rocksdb.num-files-at-level2147483648'' ends with the number of "
    + "a level, from 0 to 6'",
    "rocksdb.aggregated-table-properties-at-level4294967295, 'property "
    + "''rocksdb.aggregated-table-properties-at-level4294967295'' ends with the number of a level, from 0 to 6'"
  })
  void aPropertyThatThereIsNotIsRefusedByItsName(String name, String message) {
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(message,
          assertThrows(IllegalArgumentException.class, () -> db.metrics().property(name)).getMessage());
      assertThrows(IllegalArgumentException.class, () -> db.metrics().longProperty(name));
    }
  }

  @Test
  void aTextIsNoNumberAndLevelsAreThoseOfTheFamily() {
    try (RocksDb db = RocksDb.open(folder)) {
      assertEquals(
          "property 'rocksdb.stats' is a text: ask by property()",
          assertThrows(IllegalArgumentException.class, () -> db.metrics().longProperty("rocksdb.stats")).getMessage());
      var few = db.createFamily("few", FamilyOptions.defaults().option("num_levels", 3));
      assertEquals("0", few.metrics().property("rocksdb.num-files-at-level2"));
      assertThrows(IllegalArgumentException.class, () -> few.metrics().property("rocksdb.num-files-at-level3"));
      var one = db.createFamily("one", FamilyOptions.defaults().option("num_levels", 1)); // which has two
      assertEquals("0", one.metrics().property("rocksdb.num-files-at-level1"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "rocksdb.", "rocksdb.stats ", "rocksdb.stats text"})
  void aNameIsTakenLetterByLetter(String name) {
    assertThrows(IllegalArgumentException.class, () -> PropertyTable.check(name, 7));
  }
}
