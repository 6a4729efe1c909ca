/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A key that is being read, where it lies. One thread. */
public final class KeySource {
  private static final int BYTE = 0xff;

  private final MemorySegment key;
  private long at;
  private boolean inverted;

  public KeySource(MemorySegment key) {
    this.key = key;
  }

  /** Reads the inverted bits from now on, or the bits as they are again. */
  void invert() {
    inverted = !inverted;
  }

  long remaining() {
    return key.byteSize() - at;
  }

  /** The next byte, from 0 to 255. */
  int read() {
    int next = key.get(ValueLayout.JAVA_BYTE, at++);
    return (inverted ? ~next : next) & BYTE;
  }

  /** A number of so many bytes, without a sign. */
  long read(int width) {
    if (remaining() < width) {
      throw new IllegalArgumentException(
          "bytes: " + remaining() + " from " + at + " on are too few for a component of " + width);
    }
    long number = 0;
    for (int i = 0; i < width; i++) {
      number = number << Byte.SIZE | read();
    }
    return number;
  }

  public void requireEnd() {
    if (remaining() > 0) {
      throw new IllegalArgumentException("bytes: " + remaining() + " of " + key.byteSize() + " are left behind the last component");
    }
  }
}
