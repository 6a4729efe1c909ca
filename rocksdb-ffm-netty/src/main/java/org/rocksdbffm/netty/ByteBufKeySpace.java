/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.KeyWriter;

/** Reads and writes keys and values in Netty buffers; see {@link ByteBufReader}. Thread-safe. */
public final class ByteBufKeySpace extends ByteBufReader {
  private final KeySpace keys;

  /**
   * Creates a reader and writer of a database or column family.
   *
   * @param keys the database or column family
   * @param allocator allocates the buffers of small values
   */
  public ByteBufKeySpace(KeySpace keys, ByteBufAllocator allocator) {
    this(keys, allocator, DEFAULT_COPY_LIMIT);
  }

  /**
   * Creates a reader and writer of a database or column family, with a limit for copies.
   *
   * @param keys the database or column family
   * @param allocator allocates the buffers of small values
   * @param copyLimit values up to this size are copied when they are read, larger ones pinned
   */
  public ByteBufKeySpace(KeySpace keys, ByteBufAllocator allocator, int copyLimit) {
    super(requireNonNull(keys, "keys"), allocator, copyLimit);
    this.keys = keys;
  }

  /**
   * Writes a value. The engine reads a contiguous direct buffer without a copy.
   *
   * @param key borrowed
   * @param value borrowed, from its reader index to its writer index, which do not change
   */
  public void put(ByteBuf key, ByteBuf value) {
    put(keys, key, value);
  }

  /**
   * Writes a value by a writer, such as a batch; see {@link #put(ByteBuf, ByteBuf)}.
   *
   * @param writer the writer
   * @param key borrowed
   * @param value borrowed
   */
  public void put(KeyWriter writer, ByteBuf key, ByteBuf value) {
    requireNonNull(writer, "writer");
    try (HeldBytes heldKey = new HeldBytes(requireNonNull(key, "key"), allocator);
        HeldBytes held = new HeldBytes(requireNonNull(value, "value"), allocator)) {
      writer.put(heldKey.segment(), held.segment());
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
