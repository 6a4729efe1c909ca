/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The readable bytes of a buffer, for the length of a call. The buffer is held meanwhile, so nobody's release takes the
 * bytes away. A buffer in pieces is copied into one piece outside the heap.
 */
final class HeldBytes implements AutoCloseable {
  private final ByteBuf held;

  HeldBytes(ByteBuf buffer, ByteBufAllocator allocator) {
    held = hold(buffer, allocator);
  }

  /** The buffer, or a copy that is in one piece; the caller releases it. */
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

  /** The writable room of a buffer that is not in pieces, up to a limit. */
  static MemorySegment roomOf(ByteBuf held, int most) {
    int size = Math.min(most, held.writableBytes());
    return MemorySegment.ofBuffer(held.nioBuffer(held.writerIndex(), size));
  }

  /**
   * The same as {@link #segmentOf}, without a lifetime, of a buffer that has an address: for this library's own readers,
   * which are done with it when they return.
   */
  static MemorySegment lent(ByteBuf held) {
    return lent(held, held.readerIndex(), held.readableBytes());
  }

  /** The same as {@link #roomOf}, without a lifetime, as {@link #lent(ByteBuf)}. */
  static MemorySegment lentRoom(ByteBuf held, int most) {
    return lent(held, held.writerIndex(), Math.min(most, held.writableBytes()));
  }

  /** Checked, because indices that another thread moves meanwhile may not belong together. */
  private static MemorySegment lent(ByteBuf held, int index, int size) {
    Objects.checkFromIndexSize(index, size, held.capacity());
    return Memory.at(held.memoryAddress() + index, size);
  }

  @Override
  public void close() {
    held.release();
  }
}
