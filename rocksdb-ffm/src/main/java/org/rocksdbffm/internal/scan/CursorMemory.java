/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rocksdbffm.internal.foreign.Structs;

/**
 * The native memory of a cursor: the struct for the stubs, and space for packed rows. The next cursor that uses the
 * memory sets only the iterator in the struct. Used by one thread at a time.
 *
 * <p>The memory is accessed as a direct buffer: an access to a segment inlines forty methods of the JDK, an access to a
 * buffer five.
 */
public final class CursorMemory {
  /** The size of the struct, at the start of the memory. */
  public static final int STRUCT_SIZE = (int) Structs.SIZE_OF_CURSOR;

  final MemorySegment memory;
  final long address;
  final ByteBuffer bytes;

  // The space for packed rows, at the end of the memory.
  private final int roomOffset;
  private final ByteBuffer room;
  private byte[] heap; // null until needed

  /**
   * Initializes the struct.
   *
   * @param memory at least the struct; the caller keeps it reachable while it uses this
   * @param engine the table of the engine's functions
   * @param roomOffset the offset of the space for packed rows, which extends to the end of the memory
   */
  public CursorMemory(MemorySegment memory, MemorySegment engine, int roomOffset) {
    this.memory = memory;
    this.roomOffset = roomOffset;
    address = memory.address();
    bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    room = bytes.slice(roomOffset, bytes.capacity() - roomOffset).order(ByteOrder.nativeOrder());
    memory.asSlice(0, STRUCT_SIZE).fill((byte) 0);
    word(Structs.CURSOR_ENGINE, engine.address());
    packIntoRoom();
  }

  /** Makes the stubs pack rows into other memory. */
  public void packInto(long address, long size) {
    word(Structs.CURSOR_BUFFER, address);
    word(Structs.CURSOR_CAPACITY, size);
  }

  /** Makes the stubs pack rows into this memory. */
  public void packIntoRoom() {
    packInto(roomAddress(), room.capacity());
  }

  public long roomAddress() {
    return address + roomOffset;
  }

  /** Returns the space for packed rows. */
  public ByteBuffer room() {
    return room;
  }

  public MemorySegment segment() {
    return memory;
  }

  public long address() {
    return address;
  }

  /** Copies packed rows to an array, which the next call overwrites. */
  byte[] onHeap(int size) {
    if (heap == null) {
      heap = new byte[room.capacity()];
    }
    room.get(0, heap, 0, size);
    return heap;
  }

  /** Writes a word at an offset. */
  public void word(long offset, long value) {
    bytes.putLong((int) offset, value);
  }

  long word(long offset) {
    return bytes.getLong((int) offset);
  }
}
