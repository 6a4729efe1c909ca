/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** The rows of one writer of one run. Keys name their writer and run; values contain the number of their write. */
record KilledRows(int run, int writer) {
  byte[] key(long number) {
    return ByteBuffer.allocate(16).putInt(run).putInt(writer).putLong(number).array();
  }

  /** Returns the smallest key of all writers of a run. */
  static byte[] first(int run) {
    return new KilledRows(run, 0).key(0);
  }

  byte[] value(long number) {
    byte[] value = new byte[(int) (8 + (number * 37 + writer) % 900)];
    new Random(run * 31L + writer + number * 1009).nextBytes(value);
    ByteBuffer.wrap(value).putLong(number);
    return value;
  }

  /** Returns the number of the write of a value, -1 of null. */
  long number(byte[] value) {
    if (value == null) {
      return -1;
    }
    long number = value.length < Long.BYTES ? -1 : ByteBuffer.wrap(value).getLong();
    if (number < 0 || !Arrays.equals(value, value(number))) {
      throw new AssertionError("run " + run + ", writer " + writer + ": a value is damaged");
    }
    return number;
  }
}
