/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.Scan;

/** The model of a column family: its rows, comparator and merge operator. */
final class Family {
  private static final int KEYS = 60;

  final String name;
  final Order order;
  Merging merging; // null if never set
  final TreeMap<byte[], byte[]> rows;

  Family(String name, Order order) {
    this.name = name;
    this.order = order;
    rows = new TreeMap<>(order.comparator());
  }

  private static byte[] key(Random random) {
    return "key%02d".formatted(random.nextInt(KEYS)).getBytes();
  }

  /** Writes a random change to the database and the model; merges if the session has a merge operator. */
  void write(KeySpace to, Merging with, Random random) {
    byte[] key = key(random);
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        to.delete(key);
        rows.remove(key);
      }
      case 2 -> {
        byte[] other = random.nextInt(4) == 0 ? key.clone() : key(random);
        boolean inOrder = order.comparator().compare(key, other) <= 0;
        byte[] from = inOrder ? key : other;
        byte[] until = inOrder ? other : key;
        if (order.comparator().compare(from, until) < 0) {
          requireRefused(to, until, from);
        }
        to.deleteRange(from, until);
        rows.subMap(from, until).clear();
      }
      case 3, 4, 5 -> {
        if (with != null) {
          byte[] operand = with.operand(random.nextInt(100));
          to.merge(key, operand);
          rows.put(key, with.merge(rows.get(key), operand));
        }
      }
      default -> {
        byte[] value = with == Merging.ADD ? with.operand(random.nextInt(100)) : new byte[1 + random.nextInt(300)];
        to.put(key, value);
        rows.put(key, value);
      }
    }
  }

  private static void requireRefused(KeySpace to, byte[] from, byte[] until) {
    try {
      to.deleteRange(from, until);
    } catch (IllegalArgumentException refused) {
      return;
    }
    throw new IllegalStateException("a range that ends before it starts was deleted");
  }

  /** Describes the first difference between the model and a scan, a get or a multi-get; null if none. */
  String difference(KeyReader reader) {
    List<String> there = new ArrayList<>();
    try (Scan scan = reader.scan(KeyRange.all())) {
      while (scan.next()) {
        there.add(text(scan.keyBytes(), scan.valueBytes()));
      }
    }
    List<String> expected = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
      expected.add(text(row.getKey(), row.getValue()));
    }
    if (!there.equals(expected)) {
      return name + ": a scan gives " + there + ", and it should be " + expected;
    }
    for (int i = 0; i < KEYS; i++) {
      byte[] key = "key%02d".formatted(i).getBytes();
      byte[] value = reader.get(key);
      if (!Arrays.equals(value, rows.get(key))) {
        return name + ": get gives " + text(key, value) + ", and it should be " + text(key, rows.get(key));
      }
    }
    List<byte[]> values = reader.multiGet(new ArrayList<>(rows.keySet()));
    List<byte[]> all = new ArrayList<>(rows.values());
    for (int i = 0; i < all.size(); i++) {
      if (!Arrays.equals(values.get(i), all.get(i))) {
        return name + ": a multi-get gives another value";
      }
    }
    return null;
  }

  private static String text(byte[] key, byte[] value) {
    return new String(key) + "="
        + (value == null ? "null" : value.length + "#" + Integer.toHexString(Arrays.hashCode(value)));
  }
}
