/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Sorts keys bytewise. RocksDB would call its comparator for whole keys; this sorts numbers instead, made of the eight
 * bytes after the common prefix of all keys.
 */
record KeySort(byte[] bytes, int[] ends, int[] order) {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int FEW = 8;
  private static final int DEEPEST = 64;

  /** Sorts a part of {@code order}; returns false if it gave up, because the keys differ too little. */
  boolean sort(int from, int until) {
    return sort(from, until, 0);
  }

  private boolean sort(int from, int until, int depth) {
    if (ascends(from, until)) {
      return true;
    }
    if (until - from <= FEW) {
      insert(from, until);
      return true;
    }
    return depth < DEEPEST && sortByNumbers(from, until, depth);
  }

  private boolean ascends(int from, int until) {
    for (int i = from + 1; i < until; i++) {
      if (compare(order[i - 1], order[i]) > 0) {
        return false;
      }
    }
    return true;
  }

  private int compare(int a, int b) {
    return Arrays.compareUnsigned(bytes, start(a), ends[a], bytes, start(b), ends[b]);
  }

  private int start(int key) {
    return key == 0 ? 0 : ends[key - 1];
  }

  private void insert(int from, int until) {
    for (int i = from + 1; i < until; i++) {
      int key = order[i];
      int place = i;
      while (place > from && compare(order[place - 1], key) > 0) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = key;
    }
  }

  /** The lowest bits of each number are the key's former index, to find the key after sorting. */
  private boolean sortByNumbers(int from, int until, int depth) {
    int[] before = Arrays.copyOfRange(order, from, until);
    int common = commonPrefix(before);
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(before.length - 1);
    long[] numbers = new long[before.length];
    for (int i = 0; i < numbers.length; i++) {
      long unsigned = eightBytes(before[i], common) >>> 1;
      numbers[i] = unsigned >>> placeBits << placeBits | i;
    }
    Arrays.sort(numbers);
    long place = (1L << placeBits) - 1;
    for (int i = 0; i < numbers.length; i++) {
      order[from + i] = before[(int) (numbers[i] & place)];
      numbers[i] >>>= placeBits;
    }
    return sortAlike(from, numbers, depth);
  }

  /** Sorts each group of keys with equal numbers. */
  private boolean sortAlike(int from, long[] numbers, int depth) {
    if (numbers[0] == numbers[numbers.length - 1]) {
      return false; // some keys end where others have zeros: their numbers are equal
    }
    for (int first = 0, next; first < numbers.length; first = next) {
      next = first + 1;
      while (next < numbers.length && numbers[next] == numbers[first]) {
        next++;
      }
      if (next - first > 1 && !sort(from + first, from + next, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  private int commonPrefix(int[] keys) {
    int first = start(keys[0]);
    int common = ends[keys[0]] - first;
    for (int i = 1; i < keys.length && common > 0; i++) {
      int start = start(keys[i]);
      int most = Math.min(common, ends[keys[i]] - start);
      int mismatch = Arrays.mismatch(bytes, first, first + most, bytes, start, start + most);
      common = mismatch < 0 ? most : mismatch;
    }
    return common;
  }

  /** Returns eight bytes of the key as a number; zeros replace bytes after its end. */
  private long eightBytes(int key, int offset) {
    int start = start(key) + offset;
    int left = ends[key] - start;
    if (left >= Long.BYTES) {
      return (long) EIGHT_BYTES.get(bytes, start);
    }
    long number = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      number = number << Byte.SIZE | (i < left ? bytes[start + i] & 0xff : 0);
    }
    return number;
  }
}
