/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * The ends of a range for an iterator. RocksDB has an inclusive lower and an exclusive upper bound. In bytewise order
 * every range can be expressed so. In other orders no key is the immediate successor of another key, so this class
 * compares rows with exclusive starts and inclusive ends.
 *
 * @param lower the first key, or null
 * @param upper the exclusive upper bound, or null
 * @param excludedStart the exclusive lower bound; null for none
 * @param includedEnd the inclusive upper bound; null for none
 * @param order the order of the keys
 */
public record RangeEnds(byte[] lower, byte[] upper, byte[] excludedStart, byte[] includedEnd, WriteRules order) {
  private static final RangeEnds OPEN = new RangeEnds(null, null, null, null, null);

  /** This many 0xff bytes make a key that sorts after most keys with the same start. */
  private static final int HIGHEST_BYTES = 16;

  /** No upper bound is computed for longer keys: rows are compared in any case. */
  private static final int LONGEST = 1 << 20;

  /** Returns the ends of a range; null for an open end. The keys must not be changed later. */
  public static RangeEnds of(
      byte[] from, boolean startExcluded, byte[] until, boolean endIncluded, WriteRules order) {
    if (from == null && until == null) {
      return OPEN;
    }
    byte[] upper = !endIncluded ? until : order.reversed() ? behindInReverse(until) : null;
    return new RangeEnds(from, upper, startExcluded ? from : null, endIncluded ? until : null, order);
  }

  /**
   * Returns a key shortly after another in reverse bytewise order; null if absent. Without such a bound, a scan
   * would read all deleted rows after the range.
   */
  private static byte[] behindInReverse(byte[] key) {
    int last = key.length - 1;
    if (last < 0 || key.length > LONGEST) {
      return null;
    }
    if (key[last] == 0) {
      return Arrays.copyOf(key, last);
    }
    byte[] behind = Arrays.copyOf(key, key.length + HIGHEST_BYTES);
    behind[last]--;
    Arrays.fill(behind, key.length, behind.length, (byte) 0xff);
    return behind;
  }

  /**
   * Whether RocksDB may use prefix filters. It does so if both bounds have the same prefix, or the upper bound is the
   * next prefix. The latter is wrong if that prefix ends with a zero: of the keys from feff to ff00, ff has neither
   * prefix. In other key orders the bounds say nothing about prefixes.
   */
  boolean allowPrefixFilters() {
    return upper != null && upper.length > 0 && upper[upper.length - 1] != 0 && order.isOrderedByBytes();
  }

  /** Whether rows must be compared with these ends. */
  boolean areChecked() {
    return excludedStart != null || includedEnd != null;
  }

  /** Whether a key is the excluded start. */
  boolean isExcludedStart(MemorySegment key) {
    return excludedStart != null && key.mismatch(MemorySegment.ofArray(excludedStart)) < 0;
  }

  boolean isBehind(MemorySegment key) {
    return includedEnd != null
        && order.compare(key, key.byteSize(), MemorySegment.ofArray(includedEnd), includedEnd.length) > 0;
  }
}
