/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/** Buffers as methods of {@code org.rocksdb} name them: by absolute offsets, whatever their position and limit. */
public final class Buffers {
  private Buffers() {}

  public static MemorySegment part(ByteBuffer buffer, int offset, int length) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).asSlice(offset, length);
  }

  /** Whether the engine may read there itself: a file may shrink below its mapping, which only the JVM survives. */
  static boolean isForTheEngine(MemorySegment memory) {
    return memory.isNative() && !memory.isMapped();
  }

  /** Whether the engine may write there itself. */
  public static boolean isForTheEngineToWrite(MemorySegment memory) {
    return isForTheEngine(memory) && !memory.isReadOnly();
  }

  /**
   * The arguments of a function that reads buffers by their address, with a copy of the part that it is to read in the
   * place of each: of a file that shrinks below its mapping no copying of the engine's would survive. A buffer is
   * followed by an offset and a length.
   */
  public static Object[] copied(Object[] arguments) {
    Object[] copied = arguments;
    for (int i = 0; i + 2 < arguments.length; i++) {
      if (arguments[i] instanceof ByteBuffer buffer && buffer.isDirect()) {
        int offset = (int) arguments[i + 1];
        int length = (int) arguments[i + 2];
        Objects.checkFromIndexSize(offset, length, buffer.capacity());
        if (copied == arguments) {
          copied = arguments.clone();
        }
        copied[i] = copyOf(buffer, offset, length);
        copied[i + 1] = 0;
      }
    }
    return copied;
  }

  static ByteBuffer copyOf(ByteBuffer buffer, int offset, int length) {
    return ByteBuffer.allocateDirect(length).put(0, buffer.duplicate().clear(), offset, length);
  }

  /** Copies into a buffer, from its beginning, as much as it has room for. */
  public static void fill(ByteBuffer buffer, long address, long size) {
    MemorySegment memory = MemorySegment.ofBuffer(buffer.duplicate().clear());
    Memory.copy(address, Math.min(size, memory.byteSize()), memory);
  }
}
