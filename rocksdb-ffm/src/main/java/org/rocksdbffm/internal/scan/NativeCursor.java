/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Structs;

/**
 * The struct by which the stubs move an iterator and return rows. Small rows are packed one after another, each
 * preceded by the sizes of its key and value; a large row is returned as pointers. The owner of the memory keeps it
 * while this is used.
 */
public abstract class NativeCursor {
  /** The size of the two ints before a packed row: key size and value size. */
  protected static final int HEADER_SIZE = 2 * Integer.BYTES;

  private static final long LARGE_KEY = Structs.CURSOR_LARGE_KEY;
  private static final long LARGE_VALUE = Structs.CURSOR_LARGE_VALUE;
  private static final long SLICE_SIZE = Structs.SLICE_SIZE;

  private final CursorMemory memory;
  private final long address;

  /** Creates a cursor without an iterator. */
  protected NativeCursor(CursorMemory memory) {
    this.memory = memory;
    this.address = memory.address;
  }

  /** Sets the iterator, by the address of the C API's struct around it. */
  protected final void readFrom(long iterator) {
    memory.word(Structs.CURSOR_ITERATOR, iterator);
  }

  /** Sets the size above which rows are returned as pointers, from the next move on. */
  protected final void pointAbove(long size) {
    memory.word(Structs.CURSOR_INLINE_LIMIT, size);
  }

  /** Moves the iterator and reads rows, as the stub does; returns the number of rows. */
  protected final long scan(int move, long target, long targetSize, int limit, int backward) {
    return HotCalls.scan(address, move, target, targetSize, limit, backward);
  }

  /** Returns the slot in which the stubs store an error message; its content may be null. */
  protected final MemorySegment errorCell() {
    return memory.memory.asSlice(Structs.CURSOR_ERROR, Long.BYTES);
  }

  /** Returns and clears the address of an error message, which the caller then owns; 0 if absent. */
  protected final long takeError() {
    long error = memory.word(Structs.CURSOR_ERROR);
    if (error != 0) {
      memory.word(Structs.CURSOR_ERROR, 0);
    }
    return error;
  }

  /** Whether the iterator is at a row that was not returned yet. */
  protected final boolean isAhead() {
    return memory.word(Structs.CURSOR_AHEAD) != 0;
  }

  /** Returns the size of the packed rows that were just read. */
  protected final long packedSize() {
    return memory.word(Structs.CURSOR_PACKED_SIZE);
  }

  /** Returns the address of a large row's key; 0 if rows were packed. */
  protected final long largeKey() {
    return memory.word(LARGE_KEY);
  }

  protected final long largeKeySize() {
    return memory.word(LARGE_KEY + SLICE_SIZE);
  }

  protected final long largeValue() {
    return memory.word(LARGE_VALUE);
  }

  protected final long largeValueSize() {
    return memory.word(LARGE_VALUE + SLICE_SIZE);
  }
}
