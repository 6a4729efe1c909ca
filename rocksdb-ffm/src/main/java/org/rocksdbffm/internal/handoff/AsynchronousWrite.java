/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.handoff;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousByteChannel;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.internal.leak.Reclaimer;

/**
 * Writes leased bytes to an asynchronous channel, one write after another, until all are written or a write fails.
 * <em>Owns</em> the lease, and ends it before the future completes.
 *
 * <p>The JDK's channels get a view of the pinned memory: they refuse thread-confined buffers, and do not use a buffer
 * after they reported its completion. Other channels make no such promise, so they get copies.
 *
 * <p>A channel whose executor discards tasks never calls the handler. But a channel that may still call this handler
 * keeps it reachable: once it is unreachable, the lease ends and the future fails.
 */
public final class AsynchronousWrite implements CompletionHandler<Integer, Void> {
  private static final int MAX_WRITE = 1 << 30;
  private static final int COPY_SIZE = 64 << 10;

  /** One write to the channel. */
  private interface Target {
    void write(ByteBuffer bytes, long position, CompletionHandler<Integer, Void> handler);
  }

  private final Lease lease;
  private final Target target;
  private final boolean copies;
  private final CompletableFuture<Long> future = new CompletableFuture<>(); // must not reference this handler

  // A write that completes immediately must not start the next one from its own callback: the stack would grow with
  // each.
  private final AtomicInteger turns = new AtomicInteger();
  private volatile long written;
  private Cleaner.Cleanable forgotten;

  private AsynchronousWrite(Lease lease, Object channel, Target target) {
    this.lease = lease;
    this.target = target;
    this.copies = channel.getClass().getModule() != Object.class.getModule();
  }

  public static CompletableFuture<Long> to(AsynchronousByteChannel channel, Lease lease) {
    Target target = (bytes, ignored, handler) -> channel.write(bytes, null, handler);
    return new AsynchronousWrite(lease, channel, target).start();
  }

  public static CompletableFuture<Long> to(AsynchronousFileChannel channel, long start, Lease lease) {
    Target target = (bytes, position, handler) -> channel.write(bytes, start + position, null, handler);
    return new AsynchronousWrite(lease, channel, target).start();
  }

  private CompletableFuture<Long> start() {
    if (lease.size() == 0) {
      lease.end();
      future.complete(0L);
      return future;
    }
    try {
      forgotten = Reclaimer.whenUnreachable(this, 0, dropped(lease, future));
    } catch (Throwable e) {
      lease.end();
      throw e;
    }
    writeOn();
    return future;
  }

  /**
   * Returns the cleanup for a channel that discards the handler without calling it. A virtual thread fails the future,
   * so that dependent stages do not run on the reclaimer's thread.
   */
  private static Runnable dropped(Lease lease, CompletableFuture<Long> future) {
    return () -> {
      lease.end();
      if (!future.isDone()) {
        IOException reported =
            new IOException(
                "the channel dropped the write without an answer, as one does whose executor discards tasks: how much of"
                    + " it was written is unknown");
        Thread.ofVirtual().start(() -> future.completeExceptionally(reported));
      }
    };
  }

  private void writeOn() {
    if (turns.getAndIncrement() != 0) {
      return;
    }
    do {
      try {
        target.write(next(), written, this);
      } catch (Throwable e) {
        failed(e, null);
      }
    } while (turns.decrementAndGet() != 0);
  }

  private ByteBuffer next() {
    long left = lease.size() - written;
    if (!copies) {
      return lease.unscoped(written, (int) Math.min(left, MAX_WRITE));
    }
    byte[] copy = new byte[(int) Math.min(left, COPY_SIZE)];
    lease.copy(written, copy, 0, copy.length);
    return ByteBuffer.wrap(copy);
  }

  @Override
  public void completed(Integer count, Void attachment) {
    if (count <= 0 || count > lease.size() - written) {
      failed(new IOException("the channel says that it wrote " + count + " bytes"), null);
      return;
    }
    written += count;
    if (written < lease.size()) {
      writeOn();
    } else {
      lease.end();
      future.complete(written);
      forgotten.clean();
    }
  }

  @Override
  public void failed(Throwable cause, Void attachment) {
    lease.end();
    future.completeExceptionally(cause);
    forgotten.clean();
  }
}
