/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.util.Arrays;

/** Builds the bytes of a key. Not thread-safe. */
public final class KeySink {
  private static final int USUAL = 32;

  private byte[] bytes = new byte[USUAL];
  private int size;

  int size() {
    return size;
  }

  /** Appends the lowest {@code width} bytes of a number, the most significant one first. */
  void write(long number, int width) {
    ensure(width);
    for (int shift = (width - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes[size++] = (byte) (number >>> shift);
    }
  }

  void write(byte[] more) {
    ensure(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  void invert(int from) {
    for (int i = from; i < size; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  private void ensure(int more) {
    if (more > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int) Math.min(2L * size, Integer.MAX_VALUE - 8)));
    }
  }

  public byte[] toKey() {
    return Arrays.copyOf(bytes, size);
  }
}
