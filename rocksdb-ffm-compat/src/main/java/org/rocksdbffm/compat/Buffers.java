/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rocksdbffm.internal.Memory;

/** Buffers as methods of {@code org.rocksdb} name them: by absolute offsets, whatever their position and limit. */
final class Buffers {
  private Buffers() {}

  static MemorySegment part(ByteBuffer buffer, int offset, int length) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).asSlice(offset, length);
  }

  /** Whether the engine may write there itself: a file may shrink below its mapping, which only the JVM survives. */
  static boolean isForTheEngine(MemorySegment memory) {
    return memory.isNative() && !memory.isMapped() && !memory.isReadOnly();
  }

  /** Copies into a buffer, from its beginning, as much as it has room for. */
  static void fill(ByteBuffer buffer, long address, long size) {
    MemorySegment memory = MemorySegment.ofBuffer(buffer.duplicate().clear());
    Memory.copy(address, Math.min(size, memory.byteSize()), memory);
  }
}
