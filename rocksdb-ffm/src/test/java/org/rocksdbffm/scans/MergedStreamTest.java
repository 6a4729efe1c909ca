/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests streams over several column families: all rows in the order of their keys, at one point in time. */
@ExtendWith(LiveObjectsCheck.class)
final class MergedStreamTest {
  private static final KeyComparator BACKWARD = (a, b) -> b.compareTo(a);

  @TempDir Path folder;

  private record Found(String key, int family) {}

  private static FamilyOptions options(String order) {
    return switch (order) {
      case "reverse" -> FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE);
      case "java" -> FamilyOptions.defaults().keyOrder("backward", BACKWARD);
      default -> FamilyOptions.defaults();
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytewise", "reverse", "java"})
  void theRowsOfAllFamiliesComeInTheOrderOfTheirKeysAndEqualKeysInTheOrderOfTheReaders(String order) {
    Comparator<Found> byKey = Comparator.comparing(Found::key);
    TreeSet<Found> expected =
        new TreeSet<>((order.equals("bytewise") ? byKey : byKey.reversed()).thenComparing(Found::family));
    Random random = new Random(1);
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      List<KeyReader> families = new ArrayList<>();
      for (int family = 0; family < 4; family++) {
        ColumnFamily keys = db.createFamily("f" + family, options(order));
        families.add(keys);
        for (int i = 0; i < 300 * family; i++) { // the first family has no rows
          String key = "%04d".formatted(random.nextInt(2000));
          keys.put(bytes(key), new byte[random.nextInt(10) == 0 ? 5000 : 10]);
          expected.add(new Found(key, family));
        }
        keys.flush();
      }
      assertEquals(
          List.copyOf(expected),
          Scan.merged(families, KeyRange.all(),
              (family, row) -> new Found(text(row.keyBytes()), families.indexOf(family)))
              .toList());
      byte[] from = bytes(order.equals("bytewise") ? "0500" : "1500");
      byte[] until = bytes(order.equals("bytewise") ? "1500" : "0500");
      assertEquals(
          expected.stream().filter(row -> row.key.compareTo("0500") >= 0 && row.key.compareTo("1500") <= 0).toList(),
          Scan.merged(families, KeyRange.closed(from, until),
              (family, row) -> new Found(text(row.keyBytes()), families.indexOf(family)))
              .toList());
    }
  }

  @Test
  void readersAtOneSnapshotShowOneState() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      db.put(bytes("a"), bytes("1"));
      try (Snapshot snapshot = db.snapshot()) {
        other.put(bytes("b"), bytes("2"));
        List<KeyReader> readers = List.of(snapshot, snapshot.of(other));
        assertEquals(List.of("a"),
            Scan.merged(readers, KeyRange.all(), (reader, row) -> text(row.keyBytes())).toList());
      }
      assertEquals(
          List.of("a1", "b2"),
          Scan.merged(List.of(other, db), KeyRange.all(), (reader, row) -> text(row.keyBytes())
              + text(row.valueBytes()))
              .toList());
    }
  }

  @Test
  void familiesWithDifferentOrdersAreRefused() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      ColumnFamily reverse = db.createFamily("reverse", options("reverse"));
      ColumnFamily java = db.createFamily("java", options("java"));
      for (ColumnFamily other : List.of(reverse, java)) {
        assertTrue(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Scan.merged(List.of(db, other), KeyRange.all(), (reader, row) -> row.keySize()))
                .getMessage()
                .contains("has another key order than"));
      }
    }
  }

  @Test
  void aStreamThatEndsEarlierOrCannotBeOpenedLeavesNoScan() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      ColumnFamily other = db.createFamily("other", FamilyOptions.defaults());
      db.put(bytes("a"), bytes("1"));
      other.put(bytes("b"), bytes("2"));
      List<KeyReader> readers = List.of(db, other);
      try (Stream<String> rows = Scan.merged(readers, KeyRange.all(), (reader, row) -> text(row.keyBytes()))) {
        assertEquals("a", rows.findFirst().orElseThrow());
      }
      Iterator<String> rows =
          Scan.merged(readers, KeyRange.all(), (reader, row) -> text(row.keyBytes())).iterator();
      assertEquals("a", rows.next());
      assertEquals("b", rows.next());
      assertFalse(rows.hasNext());
      assertFalse(rows.hasNext());
      assertEquals(0, Scan.merged(List.of(), KeyRange.all(), (reader, row) -> row.keySize()).count());
      other.close();
      assertThrows(
          IllegalStateException.class,
          () -> Scan.merged(readers, KeyRange.all(), (reader, row) -> row.keySize()));
    }
  }
}
