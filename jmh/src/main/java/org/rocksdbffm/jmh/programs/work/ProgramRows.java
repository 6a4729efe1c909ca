/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.work;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Keys and values of the programs. */
final class ProgramRows {
  private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final long FACTOR = 0xBF58476D1CE4E5B9L;

  private ProgramRows() {}

  /** Returns a key that sorts like its nonnegative number. */
  static byte[] key(long number) {
    byte[] key = new byte[Long.BYTES];
    LONG.set(key, 0, number);
    return key;
  }

  /** Returns a key of a group and a number in it. */
  static byte[] key(long group, long number) {
    byte[] key = new byte[2 * Long.BYTES];
    LONG.set(key, 0, group);
    LONG.set(key, Long.BYTES, number);
    return key;
  }

  /** Returns the number at the start of a key. */
  static long number(byte[] key) {
    return (long) LONG.get(key, 0);
  }

  static boolean beginsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** Returns pseudorandom bytes that compress to about a half. */
  static byte[] value(long seed, int size) {
    byte[] value = new byte[size];
    long mixed = mix(seed);
    int at = 0;
    for (; at + 2 * Long.BYTES <= size; at += 2 * Long.BYTES) {
      LONG.set(value, at, mixed);
      mixed += STEP;
    }
    Arrays.fill(value, at, size, (byte) mixed);
    return value;
  }

  static long mix(long number) {
    long mixed = (number + STEP) * FACTOR;
    return mixed ^ (mixed >>> 31);
  }

  /** Returns the checksum of an array, which may be null. */
  static long sum(byte[] bytes) {
    return bytes == null ? 1 : mix(Arrays.hashCode(bytes) ^ (long) bytes.length << 32);
  }
}
