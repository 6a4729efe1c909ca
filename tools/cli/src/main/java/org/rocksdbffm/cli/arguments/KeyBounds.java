/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.arguments;

import java.util.Arrays;

/**
 * A range of keys as a reader walks it that continues from key to key.
 *
 * @param from the first key; null if the range has no start
 * @param until the exclusive end; null if the range has no end
 * @param prefix the prefix of all keys, which has neither start nor end; null for none
 */
public record KeyBounds(byte[] from, byte[] until, byte[] prefix) {
  /** Returns the key to start at, before which there is no key of the range; null to start at the first key. */
  public byte[] start(boolean isReverse) {
    return prefix == null ? from : isReverse ? next() : prefix;
  }

  /** Returns a key to end before, after which there is no key of the range; null to read all. */
  public byte[] end(boolean isReverse) {
    return prefix == null ? until : isReverse ? previous() : next();
  }

  /** Whether a key between start and end is in the range. */
  public boolean has(byte[] key) {
    return prefix == null
        || key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Returns the least key that is greater than all keys with the prefix; null if there is none. */
  private byte[] next() {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xff) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] next = Arrays.copyOf(prefix, length);
    next[length - 1]++;
    return next;
  }

  /** Returns a key that is less than all keys with the prefix; null if there is none. */
  private byte[] previous() {
    if (prefix.length == 0) {
      return null;
    }
    byte[] previous = Arrays.copyOf(prefix, prefix.length);
    return previous[prefix.length - 1]-- == 0 ? Arrays.copyOf(prefix, prefix.length - 1) : previous;
  }
}
