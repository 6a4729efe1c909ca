/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.store;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.rocksdbffm.netty.ByteBufReader;

/**
 * The database behind the server, with keys and values as buffers. Buffers that are passed stay the caller's; those
 * that are returned are transferred to the caller. Thread-safe.
 *
 * <p>Those methods that take {@code mayWait} throw {@link WouldWait} if they may not and would: an event loop tries
 * first, and leaves what waits for the disk to another thread.
 */
public interface Store extends AutoCloseable {
  /** Values up to this size are gathered; that is where pinning begins to pay. */
  int MOST_GATHERED = ByteBufReader.DEFAULT_COPY_LIMIT;

  /** The answer is not in memory, or the engine wants writers to slow down. */
  final class WouldWait extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WouldWait(Throwable cause) {
      super("it would wait", cause, false, false);
    }
  }

  /** The value, or null. */
  ByteBuf get(ByteBuf key, boolean mayWait);

  /**
   * Writes a value to the end of a buffer if it is small and has the room there, and gives any other one away; may not
   * wait.
   *
   * @return the value's size, or -1
   */
  long getInto(ByteBuf key, ByteBuf target, Consumer<ByteBuf> otherwise);

  /** The value's size, or -1. It is found without the value's bytes, however many these are. */
  long size(ByteBuf key, boolean mayWait);

  void put(ByteBuf key, ByteBuf value, boolean mayWait);

  /** Deletes a key, and says whether it was there; waits. */
  boolean delete(ByteBuf key);

  /** Shows keys from a key on, in their order, until somebody has seen enough; waits. */
  void keys(byte[] from, Predicate<byte[]> more);

  /** About how many keys there are. */
  long estimatedCount();

  /** How many values are on their way out, by pins. */
  long pins();

  long pinnedBytes();

  @Override
  void close();
}
