/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * A filter that is stored in each table file, and avoids reads for missing keys.
 *
 * @param id the engine's name of the filter, with its settings
 */
public record TableFilter(String id) {
  /**
   * Checks for null.
   *
   * @param id the engine's name of the filter, with its settings
   */
  public TableFilter {
    requireNonNull(id, "id");
  }

  /**
   * Returns a Bloom filter: about 1 % false positives with 10 bits per key.
   *
   * @param bitsPerKey the memory for each key; usually 10
   * @return the filter
   */
  public static TableFilter bloom(double bitsPerKey) {
    requireBits("bitsPerKey", bitsPerKey);
    return new TableFilter("bloomfilter:" + bitsPerKey + ":false");
  }

  /**
   * Returns a Ribbon filter: about 30 % smaller than a Bloom filter, but slower to build.
   *
   * @param bloomEquivalentBitsPerKey the bits per key of a Bloom filter with the same accuracy
   * @return the filter
   */
  public static TableFilter ribbon(double bloomEquivalentBitsPerKey) {
    requireBits("bloomEquivalentBitsPerKey", bloomEquivalentBitsPerKey);
    return new TableFilter("ribbonfilter:" + bloomEquivalentBitsPerKey);
  }

  private static void requireBits(String parameter, double bits) {
    if (!(bits > 0 && bits <= 100)) {
      throw new IllegalArgumentException(
          parameter + ": " + bits + ", but a filter has more than 0 bits for a key, and at most 100");
    }
  }
}
