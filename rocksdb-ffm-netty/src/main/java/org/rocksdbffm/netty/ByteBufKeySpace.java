/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;

/** Reads and writes with keys and values that are buffers of Netty; see {@link ByteBufReader}. Thread-safe. */
public final class ByteBufKeySpace extends ByteBufReader {
  private final KeySpace keys;

  /**
   * Reads and writes a key space.
   *
   * @param keys what to read and write
   * @param allocator makes the buffers of small values
   */
  public ByteBufKeySpace(KeySpace keys, ByteBufAllocator allocator) {
    this(keys, allocator, DEFAULT_COPY_LIMIT);
  }

  /**
   * Reads and writes a key space, with a limit of one's own between copying and pinning.
   *
   * @param keys what to read and write
   * @param allocator makes the buffers of small values
   * @param copyLimit values up to this size are copied when they are read
   */
  public ByteBufKeySpace(KeySpace keys, ByteBufAllocator allocator, int copyLimit) {
    super(requireNonNull(keys, "keys"), allocator, copyLimit);
    this.keys = keys;
  }

  /**
   * Writes a value. The engine reads it from where it lies, if that is outside the heap and in one piece.
   *
   * @param key borrowed
   * @param value borrowed, from its reader index to its writer index, which stay as they are
   */
  public void put(ByteBuf key, ByteBuf value) {
    put(keys, key, value);
  }

  /**
   * Adds a value to a batch, or writes it through any other writer; see {@link #put(ByteBuf, ByteBuf)}.
   *
   * @param writer what takes key and value
   * @param key borrowed
   * @param value borrowed
   */
  public void put(KeyWriter writer, ByteBuf key, ByteBuf value) {
    requireNonNull(writer, "writer");
    try (HeldBytes itsKey = new HeldBytes(requireNonNull(key, "key"), allocator);
        HeldBytes its = new HeldBytes(requireNonNull(value, "value"), allocator)) {
      writer.put(itsKey.segment(), its.segment());
    }
  }

  /**
   * Deletes a key.
   *
   * @param key borrowed
   */
  public void delete(ByteBuf key) {
    try (HeldBytes bytes = new HeldBytes(requireNonNull(key, "key"), allocator)) {
      keys.delete(bytes.segment());
    }
  }
}
