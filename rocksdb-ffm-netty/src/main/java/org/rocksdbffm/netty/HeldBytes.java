/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The readable bytes of a buffer, for the length of a call. The buffer is retained, so no other thread's release frees
 * the bytes. A composite buffer is copied into a contiguous direct buffer.
 */
final class HeldBytes implements AutoCloseable {
  private final ByteBuf held;

  HeldBytes(ByteBuf buffer, ByteBufAllocator allocator) {
    held = hold(buffer, allocator);
  }

  /** Returns the buffer, retained, or a contiguous copy; the caller releases it. */
  static ByteBuf hold(ByteBuf buffer, ByteBufAllocator allocator) {
    return buffer.nioBufferCount() == 1 || buffer.hasArray() ? buffer.retain() : inOnePiece(buffer, allocator);
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
    return segmentOf(held);
  }

  static MemorySegment segmentOf(ByteBuf held) {
    return MemorySegment.ofBuffer(held.nioBuffer());
  }

  /** Returns the writable bytes of a contiguous buffer, up to a limit. */
  static MemorySegment roomOf(ByteBuf held, int most) {
    int size = Math.min(most, held.writableBytes());
    return MemorySegment.ofBuffer(held.nioBuffer(held.writerIndex(), size));
  }

  /**
   * As {@link #segmentOf}, for a buffer with an address; without a lifetime, so only for readers that do not keep the
   * segment.
   */
  static MemorySegment lent(ByteBuf held) {
    return lent(held, held.readerIndex(), held.readableBytes());
  }

  /** As {@link #roomOf}, without a lifetime; see {@link #lent(ByteBuf)}. */
  static MemorySegment lentRoom(ByteBuf held, int most) {
    return lent(held, held.writerIndex(), Math.min(most, held.writableBytes()));
  }

  /** Checks the indexes, because another thread may move them concurrently. */
  private static MemorySegment lent(ByteBuf held, int index, int size) {
    Objects.checkFromIndexSize(index, size, held.capacity());
    return Memory.at(held.memoryAddress() + index, size);
  }

  @Override
  public void close() {
    held.release();
  }
}
