/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.Memory;

/**
 * The readable bytes of a buffer, for the length of a call. The buffer is held meanwhile, so nobody's release takes the
 * bytes away. What lies in pieces is put together outside the heap.
 */
final class HeldBytes implements AutoCloseable {
  private final ByteBuf held;

  HeldBytes(ByteBuf buffer, ByteBufAllocator allocator) {
    held = buffer.nioBufferCount() == 1 || buffer.hasArray() ? buffer.retain() : inOnePiece(buffer, allocator);
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

  /** For whoever it is. */
  MemorySegment segment() {
    return MemorySegment.ofBuffer(held.nioBuffer());
  }

  /** For this library's own readers, which are done with it when they return: it may have no lifetime. */
  MemorySegment lent() {
    return held.hasMemoryAddress()
        ? Memory.at(held.memoryAddress() + held.readerIndex(), held.readableBytes())
        : segment();
  }

  /** What can be written to a buffer that nobody else knows yet, lent likewise. */
  static MemorySegment roomOf(ByteBuf buffer) {
    int size = buffer.writableBytes();
    return buffer.hasMemoryAddress()
        ? Memory.at(buffer.memoryAddress() + buffer.writerIndex(), size)
        : MemorySegment.ofBuffer(buffer.nioBuffer(buffer.writerIndex(), size));
  }

  @Override
  public void close() {
    held.release();
  }
}
