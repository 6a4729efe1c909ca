/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CompletableFuture;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.PinnedValue;

/**
 * Reads values in Netty buffers for an event loop, which does not wait for the disk: a value in memory is returned
 * immediately, in a completed future, and another one is read by the executor of an {@link AsyncReader}. A small value
 * is copied into a buffer of the allocator, a large one is pinned in the engine's memory. Thread-safe.
 *
 * <pre>{@code
 * AsyncByteBufReader reader =
 *     new AsyncByteBufReader(db.async(disk, 1_000).completeOn(context.executor()), context.alloc());
 * reader.get(key).thenAccept(value -> context.writeAndFlush(value));
 * }</pre>
 */
public final class AsyncByteBufReader {
  private final AsyncReader reader;
  private final ByteBufAllocator allocator;
  private final int copyLimit;

  /**
   * Creates a reader with the {@linkplain ByteBufReader#DEFAULT_COPY_LIMIT default limit} for copies.
   *
   * @param reader reads, with its limit of pending reads and its timeout
   * @param allocator allocates the buffers of small values
   */
  public AsyncByteBufReader(AsyncReader reader, ByteBufAllocator allocator) {
    this(reader, allocator, ByteBufReader.DEFAULT_COPY_LIMIT);
  }

  /**
   * Creates a reader with a limit for copies.
   *
   * @param reader reads, with its limit of pending reads and its timeout
   * @param allocator allocates the buffers of small values
   * @param copyLimit values up to this size are copied, larger ones pinned; 0 to pin all values that are not empty
   */
  public AsyncByteBufReader(AsyncReader reader, ByteBufAllocator allocator, int copyLimit) {
    this.reader = requireNonNull(reader, "reader");
    this.allocator = requireNonNull(allocator, "allocator");
    if (copyLimit < 0) {
      throw new IllegalArgumentException("copyLimit: " + copyLimit + " is negative");
    }
    this.copyLimit = copyLimit;
  }

  /**
   * Reads a value. A read that is cancelled, or whose future is completed by the caller, releases its value.
   *
   * @param key in any kind of buffer, from its reader index to its writer index; copied
   * @return the value, which its receiver <em>owns</em> and must release, or null if the key is missing; fails as the
   *     {@link AsyncReader} does
   */
  public CompletableFuture<ByteBuf> get(ByteBuf key) {
    CompletableFuture<PinnedValue> read;
    try (HeldBytes bytes = new HeldBytes(requireNonNull(key, "key"), allocator)) {
      read = reader.getPinned(bytes.segment());
    }
    CompletableFuture<ByteBuf> result = new CompletableFuture<>();
    read.whenComplete((value, failure) -> complete(result, value, failure));
    if (!result.isDone()) {
      result.whenComplete((value, failure) -> read.cancel(false)); // does nothing after the end of the read
    }
    return result;
  }

  private void complete(CompletableFuture<ByteBuf> result, PinnedValue value, Throwable failure) {
    if (failure != null) {
      result.completeExceptionally(failure);
      return;
    }
    ByteBuf buffer = null;
    try (PinnedValue pinned = value) {
      buffer = pinned == null ? null : ByteBufReader.bufferOf(pinned, allocator, copyLimit);
    } catch (Throwable e) {
      result.completeExceptionally(e);
      return;
    }
    if (!result.complete(buffer) && buffer != null) {
      buffer.release();
    }
  }
}
