/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The part of a buffer that a method of {@code org.rocksdb} names by its absolute offset. */
final class Buffers {
  private Buffers() {}

  static MemorySegment part(ByteBuffer buffer, int offset, int length) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).asSlice(offset, length);
  }
}
