/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.rocksdbffm.internal.c.rocksdb_ffm_cursor;
import org.rocksdbffm.internal.c.rocksdb_ffm_slice;

/**
 * The memory that an iterator shares with the stubs: what both tell each other, and behind it room for the rows that
 * are packed. It goes from an iterator to the next, unless somebody may still look at it; then the collector has it.
 * Who uses it takes care that it is one thread at a time.
 */
final class RowBlock {
  /** How much room for packed rows there is. */
  enum Room {
    FOR_ONE_ROW(8 << 10),
    FOR_MANY_ROWS(32 << 10);

    private static final int KEPT_A_PROCESSOR = 4;

    final int size;

    // The room of iterators that were closed.
    private final BlockingQueue<MemorySegment> kept =
        new ArrayBlockingQueue<>(KEPT_A_PROCESSOR * Runtime.getRuntime().availableProcessors());

    Room(int size) {
      this.size = size;
    }

    private MemorySegment take() {
      MemorySegment memory = kept.poll();
      return memory == null ? Arena.ofAuto().allocate(ROWS + size, Long.BYTES) : memory;
    }

    private void keep(MemorySegment memory) {
      kept.offer(memory);
    }
  }

  /** A row with more bytes than this is pointed at, not packed. */
  static final int INLINE_LIMIT = Math.max(0, Integer.getInteger("org.rocksdbffm.inlineLimit", 2048));

  static final long LARGE_KEY = rocksdb_ffm_cursor.large_key$offset();
  static final long LARGE_VALUE = rocksdb_ffm_cursor.large_value$offset();

  private static final long SLICE_SIZE = rocksdb_ffm_slice.size$offset();
  private static final int HEADER_SIZE = 2 * Integer.BYTES;
  private static final long ROWS = rocksdb_ffm_cursor.sizeof();

  private final Room room;
  private final MemorySegment memory;
  private final MemorySegment cursor;

  // The current row, if there is one; its place is that in the memory.
  private long keyStart;
  private long keySize;
  private long valueSize;
  private boolean pointedAt;
  private long rowsLeft;
  private long nextRow;

  // What users see of the packed rows, for as long as the views' arena lives: that of one thread.
  private MemorySegment shown;
  private Arena views;
  private Thread viewer;
  private boolean sharedByThreads;
  private boolean givenBack;

  RowBlock(Room room) {
    this.room = room;
    memory = room.take();
    cursor = memory.asSlice(0, ROWS).fill((byte) 0);
    rocksdb_ffm_cursor.engine(cursor, Engine.TABLE);
    rocksdb_ffm_cursor.buffer(cursor, memory.asSlice(ROWS));
    rocksdb_ffm_cursor.capacity(cursor, room.size);
    rocksdb_ffm_cursor.inline_limit(cursor, Math.min(INLINE_LIMIT, room.size - HEADER_SIZE));
    leaveRow();
  }

  void readFrom(NativeIterator iterator) {
    rocksdb_ffm_cursor.iterator(cursor, iterator.pointer());
  }

  MemorySegment cursor() {
    return cursor;
  }

  /** Where the stubs left the message of a failure, or null. */
  MemorySegment error() {
    return cursor.asSlice(rocksdb_ffm_cursor.error$offset(), Long.BYTES);
  }

  int size() {
    return room.size;
  }

  /** Whether the iterator stands on a row that was not read yet. */
  boolean isAhead() {
    return rocksdb_ffm_cursor.ahead(cursor) != 0;
  }

  /** Goes to the first of the rows that were just read. */
  void enter(long count) {
    pointedAt = Memory.pointer(cursor, LARGE_KEY) != 0;
    if (pointedAt) {
      keyStart = 0;
      keySize = sizeAt(LARGE_KEY);
      valueSize = sizeAt(LARGE_VALUE);
      rowsLeft = 0;
    } else {
      nextRow = ROWS;
      rowsLeft = count;
      next();
    }
  }

  boolean hasNext() {
    return rowsLeft > 0;
  }

  void next() {
    long row = nextRow;
    keySize = memory.get(ValueLayout.JAVA_INT_UNALIGNED, row);
    valueSize = memory.get(ValueLayout.JAVA_INT_UNALIGNED, row + Integer.BYTES);
    keyStart = row + HEADER_SIZE;
    nextRow = keyStart + keySize + valueSize;
    rowsLeft--;
  }

  void leaveRow() {
    keyStart = -1;
    rowsLeft = 0;
    pointedAt = false;
  }

  boolean hasRow() {
    return keyStart >= 0;
  }

  /** Whether the row lies where the engine has it, at {@link #large}. */
  boolean isPointedAt() {
    return pointedAt;
  }

  long keySize() {
    return keySize;
  }

  long valueSize() {
    return valueSize;
  }

  MemorySegment key() {
    return shown().asSlice(keyStart, keySize);
  }

  MemorySegment value() {
    return shown().asSlice(keyStart + keySize, valueSize);
  }

  byte[] keyBytes() {
    return copy(keyStart, keySize);
  }

  byte[] valueBytes() {
    return copy(keyStart + keySize, valueSize);
  }

  private byte[] copy(long start, long size) {
    Objects.checkFromIndexSize(start, size, memory.byteSize());
    byte[] copy = new byte[(int) size];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, start, copy, 0, copy.length);
    return copy;
  }

  byte[] copyOfLarge(long slice) {
    return Memory.toArray(Memory.pointer(cursor, slice), sizeAt(slice));
  }

  /** A view of the key or value of a row that is pointed at. */
  MemorySegment large(long slice, Arena itsViews) {
    return Memory.view(Memory.pointer(cursor, slice), sizeAt(slice), itsViews);
  }

  private long sizeAt(long slice) {
    return Memory.pointer(cursor, slice + SLICE_SIZE);
  }

  private MemorySegment shown() {
    return viewer == Thread.currentThread() ? shown : show();
  }

  private MemorySegment show() {
    if (viewer != null) {
      sharedByThreads = true; // its views are not ours to end
    }
    views = Arena.ofConfined();
    viewer = Thread.currentThread();
    shown = Memory.viewWithin(memory, views);
    return shown;
  }

  /** From now on another thread uses it, too, or did. */
  void shareByThreads() {
    sharedByThreads = true;
  }

  /**
   * Ends the views of packed rows, and gives the memory to the next iterator, if nobody else can see it; idempotent.
   *
   * @param byUser whether the calling thread is the one that used it last
   */
  void giveBack(boolean byUser) {
    if (givenBack) {
      return;
    }
    givenBack = true;
    if (byUser && !sharedByThreads && endViews()) {
      room.keep(memory);
    }
  }

  private boolean endViews() {
    if (views == null) {
      return true;
    }
    try {
      views.close();
      return true;
    } catch (IllegalStateException e) {
      return false; // an operation of this thread's still works on a view
    }
  }
}
