/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_cursor;

/**
 * The row of an iterator that the drop-in knows by its raw pointer, which it <em>borrows until</em> {@link #free}: one
 * call moves the iterator and says whether there is a row and where its key and value are. Used by one thread at a time.
 */
public final class RawCursor {
  private static final long KEY = rocksdb_ffm_cursor.large_key$offset();
  private static final long VALUE = rocksdb_ffm_cursor.large_value$offset();
  private static final long SIZE = Long.BYTES;

  private final MemorySegment cursor;
  private final boolean copies;
  private MemorySegment copy = MemorySegment.NULL;
  private boolean isOnRow;

  /**
   * A cursor that points at its rows where the engine has them, or copies each: one over a batch has rows that lie in
   * the batch, which moves when it grows.
   */
  public RawCursor(long iterator, boolean copies) {
    this.copies = copies;
    long size = rocksdb_ffm_cursor.sizeof();
    cursor = Memory.allocate(size + Long.BYTES).fill((byte) 0);
    MemorySegment wrapper = cursor.asSlice(size, Long.BYTES); // the C API's struct around the pointer
    wrapper.set(ValueLayout.JAVA_LONG, 0, iterator);
    rocksdb_ffm_cursor.engine(cursor, Engine.TABLE);
    rocksdb_ffm_cursor.iterator(cursor, wrapper);
  }

  public void first() {
    move(RocksDbC.ROCKSDB_FFM_FIRST(), MemorySegment.NULL, 0, 0);
  }

  public void last() {
    move(RocksDbC.ROCKSDB_FFM_LAST(), MemorySegment.NULL, 0, 1);
  }

  public void next() {
    move(RocksDbC.ROCKSDB_FFM_NEXT(), MemorySegment.NULL, 0, 0);
  }

  public void previous() {
    move(RocksDbC.ROCKSDB_FFM_PREV(), MemorySegment.NULL, 0, 1);
  }

  /** Moves to the call's key, or to the first behind it. */
  public void seek(Call call) {
    move(RocksDbC.ROCKSDB_FFM_SEEK(), call.key(), call.keySize(), 0);
  }

  /** Moves to the call's key, or to the last before it. */
  public void seekForPrevious(Call call) {
    move(RocksDbC.ROCKSDB_FFM_SEEK_FOR_PREV(), call.key(), call.keySize(), 1);
  }

  private void move(int where, MemorySegment target, long size, int backward) {
    isOnRow = false;
    isOnRow = RocksDbC.rocksdb_ffm_scan(cursor, where, target, size, 1, backward) != 0;
    if (!isOnRow) {
      forgetError();
    } else if (copies) {
      copyRow();
    }
  }

  private void copyRow() {
    long keySize = size(false);
    long valueSize = size(true);
    if (keySize + valueSize > copy.byteSize()) {
      Memory.free(copy);
      copy = MemorySegment.NULL;
      isOnRow = false; // until there is memory
      copy = Memory.allocate(keySize + valueSize);
      isOnRow = true;
    }
    copyPart(KEY, 0, keySize);
    copyPart(VALUE, keySize, valueSize);
  }

  private void copyPart(long part, long offset, long size) {
    Memory.copy(Memory.pointer(cursor, part), size, copy.asSlice(offset));
    cursor.set(ValueLayout.JAVA_LONG, part, copy.address() + offset);
  }

  /** The iterator itself still has it. */
  private void forgetError() {
    MemorySegment error = rocksdb_ffm_cursor.error(cursor);
    if (error.address() != 0) {
      rocksdb_ffm_cursor.error(cursor, MemorySegment.NULL);
      RocksDbC.rocksdb_free(error);
    }
  }

  /** The iterator was moved in another way, to nowhere. */
  public void leaveRow() {
    isOnRow = false;
  }

  public boolean isOnRow() {
    return isOnRow;
  }

  /** Where the row's value is, or its key. */
  public long address(boolean value) {
    if (!isOnRow) {
      throw new IllegalStateException("the iterator is not on a row: ask isValid() first");
    }
    return Memory.pointer(cursor, value ? VALUE : KEY);
  }

  public long size(boolean value) {
    return Memory.pointer(cursor, (value ? VALUE : KEY) + SIZE);
  }

  public void free() {
    isOnRow = false;
    Memory.free(copy);
    Memory.free(cursor);
  }
}
