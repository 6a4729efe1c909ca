/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.inspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Row;

/** Reads the rows of a range, and continues after rows that cannot be read. */
final class SkippingScan {
  private static final String WHERE = " \\([^()]*\\)$"; // the operation, at the end of the engine's message

  private final KeySpace keys;
  private final boolean isReverse;
  private final byte[] end; // exclusive; null if the range has no end
  private final List<Gap> gaps = new ArrayList<>();
  private byte[] last; // the last key that was read, or the first key to read

  /**
   * A range of keys that cannot be read.
   *
   * @param after the last key before it; null if it starts with the first key
   * @param until the first key after it; null if no key after it can be read
   */
  record Gap(byte[] after, byte[] until, RocksDbException cause) {}

  SkippingScan(KeySpace keys, boolean isReverse, byte[] end) {
    this.keys = keys;
    this.isReverse = isReverse;
    this.end = end;
  }

  /** Whether the exception concerns a damaged block or file, so that others may be readable. */
  static boolean isDamage(RocksDbException e) {
    return e.code() == RocksDbException.Code.CORRUPTION || e.code() == RocksDbException.Code.IO_ERROR;
  }

  /** Reads rows, starting at a key or at the first one, and returns the gaps. */
  List<Gap> read(byte[] from, Consumer<Row> rows) {
    byte[] next = from;
    while (true) {
      last = next;
      RocksDbException damage = readOn(next, rows);
      if (damage == null) {
        return gaps;
      }
      byte[] start = last;
      boolean isOfBlock = damage.getMessage().contains(" offset "); // messages of other blocks differ
      byte[] until =
          NextKey.of(key -> isBehind(key, start) && !isDamaged(key, damage.getMessage()), isReverse, isOfBlock);
      gaps.add(new Gap(start, until, damage));
      if (until == null || isBehindEnd(until)) {
        return gaps;
      }
      next = until;
    }
  }

  /** Reads up to damage; null at the end of the range. A cursor reads rows before the damage, which a scan loses. */
  private RocksDbException readOn(byte[] from, Consumer<Row> rows) {
    try (var scan = keys.scan(rest(from))) {
      while (scan.next()) {
        take(scan, rows);
      }
      return null;
    } catch (RocksDbException e) {
      requireDamage(e);
    }
    byte[] taken = last == from ? null : last;
    try (Cursor cursor = keys.cursor()) {
      for (boolean has = last == null ? cursor.first() : cursor.seek(last); has; has = cursor.next()) {
        if (isBehindEnd(cursor.keyBytes())) {
          return null;
        } else if (taken == null || !Arrays.equals(cursor.keyBytes(), taken)) {
          take(cursor, rows);
        }
      }
      return null;
    } catch (RocksDbException e) {
      requireDamage(e);
      return e;
    }
  }

  private void take(Row row, Consumer<Row> rows) {
    rows.accept(row);
    last = row.keyBytes();
  }

  private static void requireDamage(RocksDbException e) {
    if (!isDamage(e)) {
      throw e;
    }
  }

  private KeyRange rest(byte[] from) {
    if (from == null) {
      return end == null ? KeyRange.all() : KeyRange.until(end);
    }
    return end == null ? KeyRange.from(from) : KeyRange.between(from, end);
  }

  private boolean isDamaged(byte[] key, String damage) {
    try (Cursor cursor = keys.cursor()) {
      cursor.seek(key);
      return false;
    } catch (RocksDbException e) {
      return e.getMessage().replaceFirst(WHERE, "").equals(damage.replaceFirst(WHERE, ""));
    }
  }

  private boolean isBehind(byte[] key, byte[] other) {
    return other == null || order(key, other) > 0;
  }

  private boolean isBehindEnd(byte[] key) {
    return end != null && order(key, end) >= 0;
  }

  private int order(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) * (isReverse ? -1 : 1);
  }
}
