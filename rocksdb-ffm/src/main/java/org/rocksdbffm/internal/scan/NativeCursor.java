/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.rocksdb_ffm_cursor;
import org.rocksdbffm.internal.c.rocksdb_ffm_slice;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The struct by which the stubs move an iterator and return rows. Small rows are packed one after another, each
 * preceded by the sizes of its key and value; a large row is returned as pointers. The owner of the memory keeps it
 * while this is used.
 */
public abstract class NativeCursor {
  /** The size of the struct. */
  protected static final long STRUCT_SIZE = rocksdb_ffm_cursor.sizeof();

  /** The size of the two ints before a packed row: key size and value size. */
  protected static final int HEADER_SIZE = 2 * Integer.BYTES;

  private static final long LARGE_KEY = rocksdb_ffm_cursor.large_key$offset();
  private static final long LARGE_VALUE = rocksdb_ffm_cursor.large_value$offset();
  private static final long AHEAD = rocksdb_ffm_cursor.ahead$offset();
  private static final long SLICE_SIZE = rocksdb_ffm_slice.size$offset();

  // Read by address: a bounds check is not needed for the struct, unlike for row offsets, which another thread may
  // change.
  private final MemorySegment struct;
  private final long address;

  /** Creates a cursor without an iterator. */
  protected NativeCursor(MemorySegment memory, MemorySegment engine) {
    struct = memory;
    memory.asSlice(0, STRUCT_SIZE).fill((byte) 0);
    address = memory.address();
    Memory.longTo(address + rocksdb_ffm_cursor.engine$offset(), engine.address());
  }

  /** Sets the iterator, by the address of the C API's struct around it. */
  protected final void readFrom(long iterator) {
    Memory.longTo(address + rocksdb_ffm_cursor.iterator$offset(), iterator);
  }

  /** Sets the memory for packed rows, and its size. */
  protected final void packInto(long room, long size) {
    Memory.longTo(address + rocksdb_ffm_cursor.buffer$offset(), room);
    Memory.longTo(address + rocksdb_ffm_cursor.capacity$offset(), size);
  }

  /** Sets the size above which rows are returned as pointers, from the next move on. */
  protected final void pointAbove(long size) {
    Memory.longTo(address + rocksdb_ffm_cursor.inline_limit$offset(), size);
  }

  /** Moves the iterator and reads rows, as the stub does; returns the number of rows. */
  protected final long scan(int move, long target, long targetSize, int limit, int backward) {
    return HotCalls.scan(address, move, target, targetSize, limit, backward);
  }

  /** Returns the slot in which the stubs store an error message; its content may be null. */
  protected final MemorySegment errorCell() {
    return struct.asSlice(rocksdb_ffm_cursor.error$offset(), Long.BYTES);
  }

  /** Whether the iterator is at a row that was not returned yet. */
  protected final boolean isAhead() {
    return Memory.longAt(address + AHEAD) != 0;
  }

  /** Returns the size of the packed rows that were just read. */
  protected final long packedSize() {
    return Memory.longAt(address + rocksdb_ffm_cursor.packed_size$offset());
  }

  /** Returns the address of a large row's key; 0 if rows were packed. */
  protected final long largeKey() {
    return Memory.longAt(address + LARGE_KEY);
  }

  protected final long largeKeySize() {
    return Memory.longAt(address + LARGE_KEY + SLICE_SIZE);
  }

  protected final long largeValue() {
    return Memory.longAt(address + LARGE_VALUE);
  }

  protected final long largeValueSize() {
    return Memory.longAt(address + LARGE_VALUE + SLICE_SIZE);
  }
}
