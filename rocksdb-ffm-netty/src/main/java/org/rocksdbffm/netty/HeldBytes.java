/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;

/**
 * The readable bytes of a buffer as one segment, for the length of a call. The buffer is held meanwhile, so nobody's
 * release takes the bytes away. What lies in pieces is put together outside the heap.
 */
final class HeldBytes implements AutoCloseable {
  private final ByteBuf held;
  private final MemorySegment segment;

  HeldBytes(ByteBuf buffer, ByteBufAllocator allocator) {
    held = buffer.nioBufferCount() == 1 || buffer.hasArray() ? buffer.retain() : inOnePiece(buffer, allocator);
    try {
      segment = MemorySegment.ofBuffer(held.nioBuffer());
    } catch (Throwable e) {
      held.release();
      throw e;
    }
  }

  private static ByteBuf inOnePiece(ByteBuf buffer, ByteBufAllocator allocator) {
    int size = buffer.readableBytes();
    ByteBuf copy = allocator.directBuffer(Math.max(size, 1));
    try {
      return copy.writeBytes(buffer, buffer.readerIndex(), size);
    } catch (Throwable e) {
      copy.release();
      throw e;
    }
  }

  MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    held.release();
  }
}
