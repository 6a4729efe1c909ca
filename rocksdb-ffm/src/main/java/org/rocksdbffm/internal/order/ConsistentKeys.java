/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.rocksdbffm.internal.callback.CallbackFrame;

/**
 * A list of keys in a Java comparator's order. A new key is compared with all keys, or with more than a thousand of a
 * long list, and the answers must agree with the list's order. Not thread-safe.
 */
final class ConsistentKeys {
  private static final int MOST_COMPARED = 1024;

  private final CheckedComparator order;
  private final List<Key> keys = new ArrayList<>();

  /** A key, as an array and in native memory for the comparator. */
  private record Key(byte[] bytes, MemorySegment copy) {
    static Key of(byte[] bytes) {
      MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
      MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
      return new Key(bytes, copy);
    }

    long address() {
      return copy.address();
    }

    long size() {
      return bytes.length;
    }
  }

  ConsistentKeys(CheckedComparator order) {
    this.order = order;
  }

  int size() {
    return keys.size();
  }

  byte[] get(int place) {
    return keys.get(place).bytes();
  }

  long address(int place) {
    return keys.get(place).address();
  }

  void removeIf(Predicate<byte[]> condition) {
    keys.removeIf(key -> condition.test(key.bytes()));
  }

  /** Inserts a key, unless present; throws if the comparator contradicts itself. */
  void add(CallbackFrame frame, byte[] bytes) {
    Key key = Key.of(bytes);
    int stride = 1 + keys.size() / MOST_COMPARED;
    int place = placeOf(frame, key, 0, keys.size(), stride);
    if (place > 0 && stride > 1) {
      place = placeOf(frame, key, Math.max(0, place - stride + 1), place, 1);
    }
    if (place >= 0) {
      keys.add(place, key);
    }
  }

  /** Appends a key, without asking the comparator. */
  void append(byte[] bytes) {
    keys.add(Key.of(bytes));
  }

  /** Returns the index for a key between two indexes; negative if it is present. */
  private int placeOf(CallbackFrame frame, Key key, int from, int to, int stride) {
    int next = to;
    for (int i = from; i < to; i += stride) {
      Key other = keys.get(i);
      int answer = order.ask(frame, key.address(), key.size(), other.address(), other.size());
      if (answer == 0 && Arrays.equals(key.bytes(), other.bytes())) {
        return -1;
      }
      if (answer > 0 && next < to) {
        Key later = keys.get(next);
        throw order.circle(key.address(), key.size(), later.address(), later.size(), other.address(), other.size());
      }
      if (answer < 0 && next == to) {
        next = i;
      }
    }
    return next;
  }
}
