/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Allocates the buffers into which an io_uring connection reads. If memory runs out, Netty's other transports close the
 * connection, but io_uring would throw out of the event loop and never read from the connection again. So this returns
 * an empty buffer, which ends the reads, and fires the exception, so that the client gets an error.
 */
@SuppressWarnings("deprecation") // the deprecation concerns callers of a handle
final class ReadBuffers implements RecvByteBufAllocator {
  private final Channel channel;
  private final RecvByteBufAllocator allocator;

  private ReadBuffers(Channel channel, RecvByteBufAllocator allocator) {
    this.channel = channel;
    this.allocator = allocator;
  }

  static void guard(Channel channel) {
    channel.config().setRecvByteBufAllocator(new ReadBuffers(channel, channel.config().getRecvByteBufAllocator()));
  }

  @Override
  public Handle newHandle() {
    return new Guarded(allocator.newHandle());
  }

  private final class Guarded extends DelegatingHandle implements ExtendedHandle {
    Guarded(Handle handle) {
      super(handle);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator from) {
      try {
        return super.allocate(from);
      } catch (OutOfMemoryError e) {
        channel.eventLoop().execute(() -> channel.pipeline().fireExceptionCaught(e));
        return Unpooled.EMPTY_BUFFER;
      }
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return ((ExtendedHandle) delegate()).continueReading(maybeMore);
    }
  }
}
