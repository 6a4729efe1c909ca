/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/** Byte buffers, accessed by absolute offsets, like in methods of {@code org.rocksdb}. */
public final class Buffers {
  private Buffers() {}

  public static MemorySegment part(ByteBuffer buffer, int offset, int length) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).asSlice(offset, length);
  }

  /**
   * Whether the engine may read the memory itself. Not if file-backed: if the file is truncated, only the JVM survives.
   */
  static boolean isForTheEngine(MemorySegment memory) {
    return memory.isNative() && !memory.isMapped();
  }

  /** Whether the engine may write to the memory itself. */
  public static boolean isForTheEngineToWrite(MemorySegment memory) {
    return isForTheEngine(memory) && !memory.isReadOnly();
  }

  /**
   * Replaces direct buffers in the arguments of an entry point by copies of the part that it reads: if a file-backed
   * buffer's file is truncated, only a copy by the JVM survives. An offset and a length follow each buffer.
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

  /** Copies to the start of a buffer, as far as the value fits. */
  public static void fill(ByteBuffer buffer, long address, long size) {
    MemorySegment memory = MemorySegment.ofBuffer(buffer.duplicate().clear());
    Memory.copy(address, Math.min(size, memory.byteSize()), memory);
  }
}
