/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Decodes a key from its memory, without copying it. Not thread-safe. */
public final class KeySource {
  private static final int BYTE = 0xff;

  private final MemorySegment key;
  private long at;
  private boolean inverted;

  public KeySource(MemorySegment key) {
    this.key = key;
  }

  /** Switches between reading the bits as stored and reading them inverted. */
  void invert() {
    inverted = !inverted;
  }

  long remaining() {
    return key.byteSize() - at;
  }

  /** Returns the next byte, from 0 to 255. */
  int read() {
    int next = key.get(ValueLayout.JAVA_BYTE, at++);
    return (inverted ? ~next : next) & BYTE;
  }

  /** Reads an unsigned big-endian number of {@code width} bytes. */
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
