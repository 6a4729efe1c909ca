/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.Scan;

/** The expected rows of a column family, in order, and the keys with an unknown state after a failed write. */
final class Model {
  private final NavigableMap<String, byte[]> rows;
  private final Set<String> unsure = new HashSet<>();

  // Whether the engine may drop rows, as with some options; the remaining rows must still be correct.
  private final boolean mayLose;

  Model(boolean backwards, boolean mayLose) {
    rows = new TreeMap<>(backwards ? Comparator.<String>reverseOrder() : Comparator.<String>naturalOrder());
    this.mayLose = mayLose;
  }

  private Model(Model other) {
    rows = new TreeMap<>(other.rows);
    unsure.addAll(other.unsure);
    mayLose = other.mayLose;
  }

  Model copy() {
    return new Model(this);
  }

  byte[] get(String key) {
    return rows.get(key);
  }

  void put(String key, byte[] value) {
    rows.put(key, value);
  }

  void delete(String key) {
    rows.remove(key);
  }

  /** Deletes the rows from a key, inclusive, to another, exclusive, in the family's order. */
  void deleteRange(String from, String until) {
    rows.subMap(from, true, until, false).clear();
  }

  /** Compares two keys in the family's order. */
  int compare(String a, String b) {
    Comparator<? super String> order = rows.comparator();
    return order.compare(a, b);
  }

  /** Records that a write of the key failed, and may have been done or not. */
  void unsure(String key) {
    unsure.add(key);
  }

  void unsureOfAll(Iterable<String> keys) {
    keys.forEach(unsure::add);
  }

  void check(String where, String key, byte[] found) {
    byte[] expected = rows.get(key);
    if (unsure.contains(key) || found == null && mayLose || Arrays.equals(expected, found)) {
      return;
    }
    throw new AssertionError(
        where + ": key " + key + " has " + shown(found) + ", but " + shown(expected) + " was written");
  }

  /** Compares all rows with a scan. */
  void checkScan(String where, KeyReader reader) {
    List<String> expected = new ArrayList<>(rows.keySet());
    String last = null;
    try (Scan scan = reader.scan(KeyRange.all())) {
      while (scan.next()) {
        String key = Work.text(scan.keyBytes());
        if (last != null && compare(last, key) >= 0) {
          throw new AssertionError(where + ": key " + key + " comes after " + last);
        }
        check(where, key, scan.valueBytes());
        expected.remove(key);
        last = key;
      }
    }
    expected.removeAll(unsure);
    if (!expected.isEmpty() && !mayLose) {
      throw new AssertionError(where + ": a scan misses " + expected);
    }
  }

  Iterable<String> keys() {
    return rows.keySet();
  }

  private static String shown(byte[] value) {
    if (value == null) {
      return "nothing";
    }
    String text = Work.text(value);
    return value.length + " bytes " + text.substring(0, Math.min(20, text.length()));
  }
}
