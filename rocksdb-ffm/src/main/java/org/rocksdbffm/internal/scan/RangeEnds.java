/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.rocksdbffm.internal.settings.WriteRules;

/**
 * The ends of a range as an iterator has them. The engine knows a first key, which belongs to a range, and a key behind
 * it, which does not. Where keys are ordered as bytes each range has such ends. In other orders there is no key right
 * behind another: so rows are held against the other kinds of ends here.
 *
 * @param lower the first key, or null
 * @param upper a key behind all, or null
 * @param excludedStart not in the range, while all behind it are; null for none
 * @param includedEnd in the range, while all behind it are not; null for none
 * @param order of the keys
 */
public record RangeEnds(byte[] lower, byte[] upper, byte[] excludedStart, byte[] includedEnd, WriteRules order) {
  private static final RangeEnds OPEN = new RangeEnds(null, null, null, null, null);

  /** So many bytes of the highest value make a key that most others with its beginning come before. */
  private static final int HIGHEST_BYTES = 16;

  /** A longer key is left as it is: rows are held against it in any case. */
  private static final int LONGEST = 1 << 20;

  /** Those of a range of keys in an order; null for an end that is open. The keys are not to be changed. */
  public static RangeEnds of(
      byte[] from, boolean startExcluded, byte[] until, boolean endIncluded, WriteRules order) {
    if (from == null && until == null) {
      return OPEN;
    }
    byte[] upper = !endIncluded ? until : order.reversed() ? behindInReverse(until) : null;
    return new RangeEnds(from, upper, startExcluded ? from : null, endIncluded ? until : null, order);
  }

  /**
   * A key behind another where bytes are ordered backward, near enough that few rows lie between: without a bound, a scan
   * would go through all that was deleted there. Null if there is none.
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
   * Whether the engine may skip files by the prefixes of their keys. It does so where the first key and the bound have one
   * prefix, or the bound is the next prefix. The latter is wrong where that ends with a zero: of the keys from feff to ff00,
   * ff has neither prefix. In other orders of keys nothing follows from the ends.
   */
  boolean allowPrefixFilters() {
    return upper != null && upper.length > 0 && upper[upper.length - 1] != 0 && order.isOrderedByBytes();
  }

  /** Whether rows have to be held against these. */
  boolean areChecked() {
    return excludedStart != null || includedEnd != null;
  }

  /** Whether a key that is not below the range is in front of it even so. */
  boolean isExcludedStart(MemorySegment key) {
    return excludedStart != null && key.mismatch(MemorySegment.ofArray(excludedStart)) < 0;
  }

  boolean isBehind(MemorySegment key) {
    return includedEnd != null
        && order.compare(key, key.byteSize(), MemorySegment.ofArray(includedEnd), includedEnd.length) > 0;
  }
}
