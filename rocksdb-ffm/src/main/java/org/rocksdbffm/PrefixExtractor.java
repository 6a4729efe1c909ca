/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

/**
 * A prefix extractor of the engine's: it says what part of a key is its prefix.
 *
 * @param id what the engine calls it, with its settings
 */
public record PrefixExtractor(String id) {
  /**
   * Checks that nothing is null.
   *
   * @param id what the engine calls it, with its settings
   */
  public PrefixExtractor {
    requireNonNull(id, "id");
  }

  /**
   * The first bytes; a shorter key has no prefix.
   *
   * @param length how many bytes, at least 1
   * @return the extractor
   */
  public static PrefixExtractor fixed(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("length: " + length + ", but a prefix has at least 1 byte");
    }
    return new PrefixExtractor("rocksdb.FixedPrefix." + length);
  }

  /**
   * The first bytes, or the whole key if it is shorter.
   *
   * @param length how many bytes at most, at least 1
   * @return the extractor
   */
  public static PrefixExtractor capped(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("length: " + length + ", but a prefix has at least 1 byte");
    }
    return new PrefixExtractor("rocksdb.CappedPrefix." + length);
  }

  /**
   * No prefix: the whole key.
   *
   * @return the extractor
   */
  public static PrefixExtractor none() {
    return new PrefixExtractor("rocksdb.Noop");
  }
}
