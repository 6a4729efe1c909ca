/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.util.Arrays;
import org.rocksdbffm.internal.foreign.Memory;

/** The positions of keys in a list, found by the keys' bytes in native memory. Immutable. */
final class KeyPositions {
  static final KeyPositions NONE = new KeyPositions(new ConsistentKeys(null));
  static final int UNKNOWN = Integer.MIN_VALUE;

  private static final long FACTOR = 0x9e3779b97f4a7c15L;

  // A hash table with open addressing: the hash of a key, and its position + 1, or zero if free.
  private final long[] hashes;
  private final int[] places;
  private final byte[][] keys;

  KeyPositions(ConsistentKeys row) {
    int capacity = Integer.highestOneBit(2 * row.size() + 1) * 2;
    hashes = new long[capacity];
    places = new int[capacity];
    keys = new byte[row.size()][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = row.get(i);
      long hash = hash(row.address(i), keys[i].length);
      int slot = slotOf(hash);
      hashes[slot] = hash;
      places[slot] = i + 1;
    }
  }

  /** Compares two keys by position; {@link #UNKNOWN} unless both are in the list. */
  int order(long a, long aSize, long b, long bSize) {
    int first = placeOf(a, aSize);
    if (first < 0) {
      return UNKNOWN;
    }
    int second = placeOf(b, bSize);
    return second < 0 ? UNKNOWN : Integer.compare(first, second);
  }

  private int placeOf(long key, long size) {
    return placeOf(hash(key, size), key, size);
  }

  /** Returns the position of a key with this hash; negative if it is not in the list. */
  int placeOf(long hash, long key, long size) {
    int place = places[slotOf(hash)] - 1;
    return place >= 0 && size == keys[place].length && Arrays.equals(keys[place], Memory.toArray(key, size)) ? place : -1;
  }

  /** Returns the slot of a hash, or the free slot for it. */
  private int slotOf(long hash) {
    int mask = hashes.length - 1;
    int slot = (int) (hash >>> 32) & mask;
    while (places[slot] != 0 && hashes[slot] != hash) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  static long hash(long key, long size) {
    long hash = size * FACTOR;
    long at = 0;
    for (; at + Long.BYTES <= size; at += Long.BYTES) {
      hash = (hash ^ Memory.bigEndianLongAt(key + at)) * FACTOR;
      hash ^= hash >>> 29;
    }
    for (; at < size; at++) {
      hash = (hash ^ Memory.byteAt(key + at) & 0xff) * FACTOR;
      hash ^= hash >>> 29;
    }
    return hash * FACTOR;
  }
}
