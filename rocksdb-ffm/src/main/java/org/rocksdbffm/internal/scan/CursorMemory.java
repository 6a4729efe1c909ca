/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rocksdbffm.internal.c.rocksdb_ffm_cursor;

/**
 * The native memory of a cursor: the struct that it shares with the stubs, and room for packed rows. All words of the
 * struct but the iterator stay the same for the next cursor that takes the memory. One thread at a time.
 *
 * <p>It is read and written as a direct buffer: an access to a segment inlines some forty methods of the JDK, an access
 * to a buffer five.
 */
public final class CursorMemory {
  /** The size of the struct, at the start of the memory. */
  public static final int STRUCT_SIZE = (int) rocksdb_ffm_cursor.sizeof();

  final MemorySegment memory;
  final long address;
  final ByteBuffer bytes;

  // The room that packed rows have, at the end of the memory.
  private final int roomOffset;
  private final ByteBuffer room;

  /**
   * Prepares the struct for the engine's functions, and gives packed rows the end of the memory.
   *
   * @param memory at least the struct; the caller keeps it as long as it uses this
   * @param roomOffset where the room for packed rows starts
   */
  public CursorMemory(MemorySegment memory, MemorySegment engine, int roomOffset) {
    this.memory = memory;
    this.roomOffset = roomOffset;
    address = memory.address();
    bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    room = bytes.slice(roomOffset, bytes.capacity() - roomOffset).order(ByteOrder.nativeOrder());
    memory.asSlice(0, STRUCT_SIZE).fill((byte) 0);
    word(rocksdb_ffm_cursor.engine$offset(), engine.address());
    packIntoRoom();
  }

  /** Packs rows into other memory than this. */
  public void packInto(long address, long size) {
    word(rocksdb_ffm_cursor.buffer$offset(), address);
    word(rocksdb_ffm_cursor.capacity$offset(), size);
  }

  /** Packs rows into this memory. */
  public void packIntoRoom() {
    packInto(roomAddress(), room.capacity());
  }

  public long roomAddress() {
    return address + roomOffset;
  }

  /** The room for packed rows. */
  public ByteBuffer room() {
    return room;
  }

  public MemorySegment segment() {
    return memory;
  }

  public long address() {
    return address;
  }

  /** Writes a word of the memory. */
  public void word(long offset, long value) {
    bytes.putLong((int) offset, value);
  }

  long word(long offset) {
    return bytes.getLong((int) offset);
  }
}
