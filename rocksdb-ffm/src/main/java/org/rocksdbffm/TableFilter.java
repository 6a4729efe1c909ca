/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * A filter that is stored with each file, which spares reads of keys that do not exist.
 *
 * @param id what the engine calls it, with its settings
 */
public record TableFilter(String id) {
  /**
   * Checks that nothing is null.
   *
   * @param id what the engine calls it, with its settings
   */
  public TableFilter {
    requireNonNull(id, "id");
  }

  /**
   * A Bloom filter: about 1 % false answers at 10 bits a key.
   *
   * @param bitsPerKey memory for each key; 10 is usual
   * @return the filter
   */
  public static TableFilter bloom(double bitsPerKey) {
    requireBits(bitsPerKey);
    return new TableFilter("bloomfilter:" + bitsPerKey + ":false");
  }

  /**
   * A Ribbon filter: takes about 30 % less memory than a Bloom filter, and more time to build.
   *
   * @param bloomEquivalentBitsPerKey the bits a Bloom filter of the same accuracy would take
   * @return the filter
   */
  public static TableFilter ribbon(double bloomEquivalentBitsPerKey) {
    requireBits(bloomEquivalentBitsPerKey);
    return new TableFilter("ribbonfilter:" + bloomEquivalentBitsPerKey);
  }

  private static void requireBits(double bits) {
    if (!(bits > 0 && bits <= 100)) {
      throw new IllegalArgumentException("bits per key: " + bits + ", but a filter has more than 0 and at most 100");
    }
  }
}
