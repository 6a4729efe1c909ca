/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * A built-in prefix extractor, which defines the prefix of a key.
 *
 * @param id the engine's name of the extractor, with its settings
 */
public record PrefixExtractor(String id) {
  /**
   * Checks for null.
   *
   * @param id the engine's name of the extractor, with its settings
   */
  public PrefixExtractor {
    requireNonNull(id, "id");
  }

  /**
   * Returns the extractor of the first bytes; shorter keys have no prefix.
   *
   * @param length the length of the prefix, at least 1
   * @return the extractor
   */
  public static PrefixExtractor fixed(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("length: " + length + ", but a prefix has at least 1 byte");
    }
    return new PrefixExtractor("rocksdb.FixedPrefix." + length);
  }

  /**
   * Returns the extractor of the first bytes, or of the whole key if it is shorter.
   *
   * @param length the maximum length of the prefix, at least 1
   * @return the extractor
   */
  public static PrefixExtractor capped(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("length: " + length + ", but a prefix has at least 1 byte");
    }
    return new PrefixExtractor("rocksdb.CappedPrefix." + length);
  }

  /**
   * Returns the extractor of the whole key.
   *
   * @return the extractor
   */
  public static PrefixExtractor none() {
    return new PrefixExtractor("rocksdb.Noop");
  }
}
