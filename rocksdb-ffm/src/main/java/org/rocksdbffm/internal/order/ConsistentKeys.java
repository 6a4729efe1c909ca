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
 * Keys in the order that code in Java gives them. One that joins is compared to all, or to more than a thousand of very
 * many, and what comes after one of them must come after all those before it. One thread.
 */
final class ConsistentKeys {
  private static final int MOST_COMPARED = 1024;

  private final CheckedComparator order;
  private final List<Key> keys = new ArrayList<>();

  /** A copy, in Java and where the order finds it. */
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

  /** Has a key join, unless it is there; throws if it has no place. */
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

  /** Has a key be the last, unasked. */
  void append(byte[] bytes) {
    keys.add(Key.of(bytes));
  }

  /** Where it belongs from one place to another; negative if it is there. */
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
