/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.order.NativeComparator;
import org.rocksdbffm.internal.order.ShownKey;

/**
 * Checks of writes to a column family. RocksDB has these rules too, but checks them only after writing the WAL: it then
 * considers the database corrupt, and refuses every later write. So they are checked before.
 *
 * @param reversed whether keys are in descending order
 * @param comparator the Java comparator; null if absent
 * @param mergeable whether there is a merge operator
 * @param expiring whether compactions delete rows by age
 */
public record WriteRules(boolean reversed, NativeComparator comparator, boolean mergeable, boolean expiring) {
  static WriteRules of(CheckedSettings settings, NativeComparator comparator, Extras extras) {
    boolean mergeable = extras.get(Extras.MERGE_OPERATOR) != null || settings.hasMergeOperator();
    return new WriteRules(settings.isReversed(), comparator, mergeable, extras.get(Extras.EXPIRY) != null);
  }

  /** Whether keys are in the order of their unsigned bytes. */
  public boolean isOrderedByBytes() {
    return comparator == null && !reversed;
  }

  /** Whether the keys of two families are in the same order. */
  public boolean isOrderedAs(WriteRules other) {
    return reversed == other.reversed
        && (comparator == null || other.comparator == null
            ? comparator == other.comparator
            : comparator.name().equals(other.comparator.name()));
  }

  public void requireMergeable(Handle family) {
    if (!mergeable) {
      throw new IllegalStateException(
          family + " has no merge operator: open it with one, by FamilyOptions.mergeOperator");
    }
  }

  /**
   * Refuses single deletions: an expired row becomes a deletion, and a compaction that finds a single deletion above it
   * fails permanently.
   */
  public void requireSingleDeletes(Handle family) {
    if (expiring) {
      throw new IllegalStateException(
          family + " expires rows, and the engine fails where a single deletion meets one that has expired: delete the key");
    }
  }

  /** Lets the Java comparator check a key that is to be written. */
  public void requirePlace(MemorySegment key, long size) {
    if (comparator != null) {
      comparator.requirePlace(key, size);
    }
  }

  /** Whether a range may contain keys: not if both ends are equal. Throws if it ends before it starts. */
  public boolean hasKeys(MemorySegment from, long fromSize, MemorySegment until, long untilSize) {
    int order = compare(from, fromSize, until, untilSize);
    if (order > 0) {
      throw new IllegalArgumentException(
          "until: " + ShownKey.of(until, untilSize) + " lies before from, " + ShownKey.of(from, fromSize)
              + ", in the order of the column family; exchange them");
    }
    return order < 0;
  }

  /** Compares two keys in the order of the column family. */
  public int compare(MemorySegment a, long aSize, MemorySegment b, long bSize) {
    if (comparator != null) {
      return comparator.compare(a, aSize, b, bSize);
    }
    int order = compareBytes(a, aSize, b, bSize);
    return reversed ? -order : order;
  }

  private static int compareBytes(MemorySegment a, long aSize, MemorySegment b, long bSize) {
    long at = MemorySegment.mismatch(a, 0, aSize, b, 0, bSize);
    if (at < 0 || at == aSize || at == bSize) {
      return Long.compare(aSize, bSize);
    }
    return Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
  }
}
