/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.rocksdb_ffm_cursor;
import org.rocksdbffm.internal.c.rocksdb_ffm_slice;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The struct through which the stubs move an iterator and read its rows: what they are to read, and where the rows are
 * found. Small rows come packed, one behind the other, each behind the sizes of its key and its value; a large
 * one is pointed at. The owner of the memory keeps it for as long as this is used.
 */
public abstract class NativeCursor {
  /** How much memory the struct takes. */
  protected static final long STRUCT_SIZE = rocksdb_ffm_cursor.sizeof();

  /** In front of a packed row: the sizes of its key and its value, two ints. */
  protected static final int HEADER_SIZE = 2 * Integer.BYTES;

  private static final long LARGE_KEY = rocksdb_ffm_cursor.large_key$offset();
  private static final long LARGE_VALUE = rocksdb_ffm_cursor.large_value$offset();
  private static final long AHEAD = rocksdb_ffm_cursor.ahead$offset();
  private static final long SLICE_SIZE = rocksdb_ffm_slice.size$offset();

  // By the address where it is read: what lies in front of the rows is no matter of a number that another thread may
  // have changed.
  private final MemorySegment struct;
  private final long address;

  /** A cursor that knows the engine, and no iterator yet. */
  protected NativeCursor(MemorySegment memory, MemorySegment engine) {
    struct = memory;
    memory.asSlice(0, STRUCT_SIZE).fill((byte) 0);
    address = memory.address();
    Memory.longTo(address + rocksdb_ffm_cursor.engine$offset(), engine.address());
  }

  /** Takes the iterator, by the C API's struct around it. */
  protected final void readFrom(long iterator) {
    Memory.longTo(address + rocksdb_ffm_cursor.iterator$offset(), iterator);
  }

  /** Tells where there is how much room for packed rows. */
  protected final void packInto(long room, long size) {
    Memory.longTo(address + rocksdb_ffm_cursor.buffer$offset(), room);
    Memory.longTo(address + rocksdb_ffm_cursor.capacity$offset(), size);
  }

  /** Has rows with more bytes than this pointed at, from the next move on. */
  protected final void pointAbove(long size) {
    Memory.longTo(address + rocksdb_ffm_cursor.inline_limit$offset(), size);
  }

  /** Moves the iterator and reads; see the stub. Returns the number of rows. */
  protected final long scan(int move, long target, long targetSize, int limit, int backward) {
    return HotCalls.scan(address, move, target, targetSize, limit, backward);
  }

  /** Where the stubs left the message of a failure, or null. */
  protected final MemorySegment errorCell() {
    return struct.asSlice(rocksdb_ffm_cursor.error$offset(), Long.BYTES);
  }

  /** Whether the iterator stands on a row that was not read yet. */
  protected final boolean isAhead() {
    return Memory.longAt(address + AHEAD) != 0;
  }

  /** How many bytes the packed rows that were just read take. */
  protected final long packedSize() {
    return Memory.longAt(address + rocksdb_ffm_cursor.packed_size$offset());
  }

  /** The address of the key of a row that is pointed at; 0 if rows were packed. */
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
