/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.function.Function;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Scan;

/**
 * Compares scans and cursors of a range with a sorted map.
 *
 * @param range that is read
 * @param rows that it has
 */
public record SortedMapCheck(KeyRange range, NavigableMap<byte[], byte[]> rows) {
  private static final int FROM_ANYWHERE = 4;

  /** Asserts that a scan returns the rows in ascending order, and no others. It is closed. */
  public void assertForward(Scan scan) {
    assertRows(rows, scan);
  }

  /** Asserts that a scan returns the rows in descending order, and no others. It is closed. */
  public void assertBackward(Scan scan) {
    assertRows(rows.descendingMap(), scan);
  }

  private void assertRows(NavigableMap<byte[], byte[]> expected, Scan scan) {
    try (scan) {
      for (Map.Entry<byte[], byte[]> row : expected.entrySet()) {
        assertTrue(scan.next(), () -> range + " ends before " + hex(row.getKey()));
        assertArrayEquals(row.getKey(), scan.keyBytes());
        assertArrayEquals(row.getValue(), scan.valueBytes());
      }
      assertEquals(false, scan.next(), () -> range + " goes on with " + hex(scan.keyBytes()));
      assertEquals(false, scan.next());
      assertThrowsExactly(IllegalStateException.class, scan::key);
    }
  }

  /**
   * Moves a cursor a number of times, mostly to the next or previous row, otherwise to random keys, and compares each
   * row with the map.
   */
  public void walk(Cursor cursor, Random random, Function<Random, byte[]> keys, int steps, int kindsOfMove) {
    Map.Entry<byte[], byte[]> at = null;
    for (int step = 0; step < steps; step++) {
      byte[] key = keys.apply(random);
      boolean found;
      int move = random.nextInt(at == null ? FROM_ANYWHERE : kindsOfMove);
      switch (move) {
        case 0 -> {
          found = cursor.first();
          at = rows.firstEntry();
        }
        case 1 -> {
          found = cursor.last();
          at = rows.lastEntry();
        }
        case 2 -> {
          found = cursor.seek(key);
          at = rows.ceilingEntry(key);
        }
        case 3 -> {
          found = cursor.seekForPrevious(key);
          at = rows.floorEntry(key);
        }
        default -> {
          found = move % 2 == 0 ? cursor.next() : cursor.previous();
          at = move % 2 == 0 ? rows.higherEntry(at.getKey()) : rows.lowerEntry(at.getKey());
        }
      }
      assertAt(at, found, cursor, range + " by move " + move + " " + hex(key));
    }
  }

  private static void assertAt(Map.Entry<byte[], byte[]> row, boolean found, Cursor cursor, String move) {
    assertEquals(row != null, found, move);
    assertEquals(found, cursor.hasRow(), move);
    if (found) {
      assertArrayEquals(row.getKey(), cursor.keyBytes(), move);
      assertArrayEquals(row.getValue(), cursor.valueBytes(), move);
      assertEquals(row.getValue().length, cursor.valueSize(), move);
    } else {
      assertThrowsExactly(IllegalStateException.class, cursor::next);
    }
  }

  private static String hex(byte[] key) {
    return HexFormat.of().formatHex(key);
  }
}
