/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * The checksum of a value: its size plus its first byte. Every loop adds the checksums of the values that it reads, so
 * that each value is read, and a test can check that all engines have read the same values.
 */
public final class Checksum {
  private Checksum() {}

  /** Returns the checksum of a value; 0 for null. */
  public static long at(byte[] bytes) {
    return bytes == null ? 0 : bytes.length + (bytes.length == 0 ? 0 : bytes[0]);
  }

  public static long at(MemorySegment bytes) {
    long size = bytes.byteSize();
    return size + (size == 0 ? 0 : bytes.get(ValueLayout.JAVA_BYTE, 0));
  }

  /** Returns the checksum of a value that was copied to the start of an array; 0 if the key was missing. */
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
