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
  private boolean isOnRow;

  /** A cursor without room for rows of its own: it points at all of them. */
  public RawCursor(long iterator) {
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
    }
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

  /** Says where the row's value is by now, or its key: what lies in a batch moves when that grows. */
  public void movedTo(boolean value, long address, long size) {
    long part = value ? VALUE : KEY;
    cursor.set(ValueLayout.JAVA_LONG, part, address);
    cursor.set(ValueLayout.JAVA_LONG, part + SIZE, size);
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
    Memory.free(cursor);
  }
}
