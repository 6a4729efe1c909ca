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

/** Reads the rows of a range, and continues behind what cannot be read. */
final class SkippingScan {
  private static final String WHERE = " \\([^()]*\\)$"; // the operation, behind the engine's message

  private final KeySpace keys;
  private final boolean isReverse;
  private final byte[] end; // of the range; null if it is open
  private final List<Gap> gaps = new ArrayList<>();
  private byte[] last; // key that was read, or from which on

  /**
   * Keys that cannot be read.
   *
   * @param after the last key before them; null if they are the first
   * @param until the first key behind them; null if nothing behind them can be read
   */
  record Gap(byte[] after, byte[] until, RocksDbException cause) {}

  SkippingScan(KeySpace keys, boolean isReverse, byte[] end) {
    this.keys = keys;
    this.isReverse = isReverse;
    this.end = end;
  }

  /** Whether a block or a file cannot be read, and others may be. */
  static boolean isDamage(RocksDbException e) {
    return e.code() == RocksDbException.Code.CORRUPTION || e.code() == RocksDbException.Code.IO_ERROR;
  }

  /** Reads from a key on, or from the first one. */
  List<Gap> read(byte[] from, Consumer<Row> rows) {
    byte[] next = from;
    while (true) {
      last = next;
      RocksDbException damage = readOn(next, rows);
      if (damage == null) {
        return gaps;
      }
      byte[] start = last;
      boolean isOfBlock = damage.getMessage().contains(" offset "); // and so another block has another message
      byte[] until = NextKey.of(key -> isBehind(key, start) && !isDamaged(key, damage.getMessage()), isReverse, isOfBlock);
      gaps.add(new Gap(start, until, damage));
      if (until == null || isBehindEnd(until)) {
        return gaps;
      }
      next = until;
    }
  }

  /** Returns what the rows end with; null at the end of the range. A scan fetches many, and loses those before the damage. */
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
