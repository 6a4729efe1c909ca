/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.store;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.rocksdbffm.netty.ByteBufReader;

/**
 * The server's database, with keys and values as buffers. The caller keeps owning the buffers that it passes, and owns
 * the buffers that are returned. Thread-safe.
 *
 * <p>Methods with {@code mayWait} throw {@link WouldWait} if it is false and they would block: an event loop tries
 * first, and leaves reads from disk to another thread.
 */
public interface ValueStore extends AutoCloseable {
  /** Values up to this size are gathered; for larger values, pinning is faster. */
  int MOST_GATHERED = ByteBufReader.DEFAULT_COPY_LIMIT;

  /** The value is not in memory, or the engine would slow down the write. */
  final class WouldWait extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WouldWait(Throwable cause) {
      super("it would wait", cause, false, false);
    }
  }

  /** Returns the value, or null. */
  ByteBuf get(ByteBuf key, boolean mayWait);

  /**
   * Appends a small value to a buffer if the value fits, and passes any other value to a consumer; never blocks.
   *
   * @return the value's size, or -1
   */
  long getInto(ByteBuf key, ByteBuf target, Consumer<ByteBuf> otherwise);

  /** Returns the value's size, or -1, without copying the value. */
  long size(ByteBuf key, boolean mayWait);

  void put(ByteBuf key, ByteBuf value, boolean mayWait);

  /** Deletes a key, and returns whether it existed; may block. */
  boolean delete(ByteBuf key);

  /** Passes keys, starting at a key, in order, to a predicate until it returns false; may block. */
  void keys(byte[] from, Predicate<byte[]> more);

  /** Returns the approximate number of keys. */
  long estimatedCount();

  /** Returns the number of pinned values that are being sent. */
  long pins();

  long pinnedBytes();

  @Override
  void close();
}
