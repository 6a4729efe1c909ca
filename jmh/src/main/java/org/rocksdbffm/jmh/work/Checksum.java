/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * The checksum of a value, its size plus its first byte, which every engine's loop adds up over the values it reads. So
 * no loop can leave a value unread, and a test can tell that all have read the same.
 */
public final class Checksum {
  private Checksum() {}

  /** The checksum of a value; 0 if there is none. */
  public static long at(byte[] bytes) {
    return bytes == null ? 0 : bytes.length + (bytes.length == 0 ? 0 : bytes[0]);
  }

  public static long at(MemorySegment bytes) {
    long size = bytes.byteSize();
    return size + (size == 0 ? 0 : bytes.get(ValueLayout.JAVA_BYTE, 0));
  }

  /** The checksum of a value that was copied to the start of an array; 0 if there was none. */
  public static long at(long size, byte[] target) {
    return size < 0 ? 0 : size + (size == 0 ? 0 : target[0]);
  }

  public static long at(long size, ByteBuffer target) {
    return size < 0 ? 0 : size + (size == 0 ? 0 : target.get(0));
  }

  public static long at(long size, MemorySegment target) {
    return size < 0 ? 0 : size + (size == 0 ? 0 : target.get(ValueLayout.JAVA_BYTE, 0));
  }
}
