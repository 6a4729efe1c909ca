/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The memory that an iterator shares with the stubs: the struct, followed by packed rows. Reused by later iterators,
 * unless it may still be viewed; then it is garbage-collected. The user ensures that one thread at a time accesses it.
 */
final class RowBlock extends NativeCursor {
  /** The sizes of the memory for packed rows. */
  enum Room {
    /** Space for one row: programs hold thousands of cursors. */
    FOR_ONE_ROW(Math.clamp(HEADER_SIZE + INLINE_LIMIT, 1 << 10, 8 << 10)),
    FOR_MANY_ROWS(32 << 10);

    private static final int KEPT_A_PROCESSOR = 4;

    final int size;

    // Memory of closed iterators, for reuse.
    private final BlockingQueue<CursorMemory> kept =
        new ArrayBlockingQueue<>(KEPT_A_PROCESSOR * Runtime.getRuntime().availableProcessors());

    Room(int size) {
      this.size = size;
    }

    private CursorMemory take() {
      CursorMemory memory = kept.poll();
      return memory != null
          ? memory
          : new CursorMemory(Arena.ofAuto().allocate(ROWS + size, Long.BYTES), EngineTable.TABLE, ROWS);
    }

    private void keep(CursorMemory memory) {
      kept.offer(memory);
    }
  }

  /** The default size above which a row is read in place instead of packed. */
  private static final int INLINE_LIMIT = Math.max(0, Integer.getInteger("org.rocksdbffm.inlineLimit", 512));

  /** The least number of rows after the current one for which all packed rows are copied to the heap. */
  private static final int MANY_ROWS = 16;

  /** The buffer for copies grows by at most this much more than a row needs. */
  private static final long MOST_COPY_AHEAD = 1 << 20;

  private static final int ROWS = CursorMemory.STRUCT_SIZE;
  private static final long NOWHERE = -1;

  private final Room room;
  private final CursorMemory cursor;
  private final MemorySegment memory; // the struct, and the packed rows
  private final ByteBuffer bytes; // the same memory
  private final long address;

  // The current row, if there is one: addresses if it is read in place, otherwise offsets in the memory.
  private boolean pointedAt;
  private long key;
  private long keySize;
  private long value;
  private long valueSize;
  private long rowsLeft;
  private long nextRow;

  // Packed rows on the heap. Copied with the first key or value of many rows, because one copy of all rows costs little
  // more than the copy of one key. Null if the rows that were just read are not copied.
  private byte[] heap;

  // A copy of a large row that the engine may overwrite. Reused for the next large row, because views of a row end
  // before the next row is read.
  private MemorySegment copy = MemorySegment.NULL;
  private boolean copied;

  // The arena of the views of packed rows, which belong to one thread.
  private Arena views;
  private Thread viewer;
  private boolean sharedByThreads;
  private boolean givenBack;

  RowBlock(Room room, NativeIterator iterator) {
    this(room, room.take(), iterator);
  }

  private RowBlock(Room room, CursorMemory cursor, NativeIterator iterator) {
    super(cursor);
    this.room = room;
    this.cursor = cursor;
    memory = cursor.memory;
    bytes = cursor.bytes;
    address = cursor.address;
    readFrom(iterator.pointer().address());
    packRowsUpTo(INLINE_LIMIT);
    leaveRow();
  }

  /** Sets the size above which rows are read in place, from the next move on. */
  void packRowsUpTo(int size) {
    pointAbove(Math.min(size, room.size - HEADER_SIZE));
  }

  long read(int move, long target, long targetSize, int limit, boolean backward) {
    heap = null;
    try {
      return scan(move, target, targetSize, limit, backward ? 1 : 0);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Moves to the first of the rows that were just read. */
  void enter(long count) {
    key = largeKey();
    pointedAt = key != 0;
    if (pointedAt) {
      keySize = largeKeySize();
      valueSize = largeValueSize();
      value = copied ? copy.address() + keySize : largeValue();
      key = copied ? copy.address() : key;
    } else {
      nextRow = ROWS;
      rowsLeft = count;
      next();
    }
  }

  /**
   * Moves to the first of the rows that were just read. Drops the first row whose key does not pass, and all rows after
   * it; returns whether any row is left.
   */
  boolean enterWhile(long count, Predicate<MemorySegment> passes) {
    enter(count);
    long passed = 0;
    while (passes.test(currentKey())) {
      passed++;
      if (!hasNext()) {
        break;
      }
      next();
    }
    if (passed == 0) {
      leaveRow();
      return false;
    }
    enter(passed);
    return true;
  }

  /** Returns the key of the current row, for a check before the user sees the row. */
  MemorySegment currentKey() {
    return pointedAt ? Memory.at(key, keySize) : memory.asSlice(key, keySize);
  }

  /** Whether the row that was just read is a large one, read in place. */
  boolean isLarge() {
    return largeKey() != 0;
  }

  /** Copies the large row that was just read, because the engine may overwrite it. */
  void copyLarge() {
    long size = Math.addExact(largeKeySize(), largeValueSize());
    if (copy.byteSize() < size) {
      copy = Arena.ofAuto().allocate(Math.max(size, Math.min(2 * copy.byteSize(), MOST_COPY_AHEAD)));
    }
    Memory.copy(largeKey(), largeKeySize(), copy.address());
    Memory.copy(largeValue(), largeValueSize(), copy.address() + largeKeySize());
    copied = true;
  }

  /** Keeps the copy until the arena of its views is closed or unreachable. */
  void keepCopyFor(Arena views) {
    if (copied) {
      Memory.keep(copy, views);
    }
  }

  boolean hasNext() {
    return rowsLeft > 0;
  }

  void next() {
    int row = (int) nextRow; // another thread may have changed it: the buffer checks its bounds
    keySize = bytes.getInt(row);
    valueSize = bytes.getInt(row + Integer.BYTES);
    key = row + (long) HEADER_SIZE;
    value = key + keySize;
    nextRow = value + valueSize;
    rowsLeft--;
  }

  void leaveRow() {
    copied = false;
    key = NOWHERE;
    rowsLeft = 0;
    pointedAt = false;
  }

  boolean hasRow() {
    return key != NOWHERE;
  }

  /** Whether the current row is a large one, read in place. */
  boolean isPointedAt() {
    return pointedAt;
  }

  long keySize() {
    return keySize;
  }

  long valueSize() {
    return valueSize;
  }

  /**
   * Returns a view of the key.
   *
   * @param ofRow the arena of a large row's views; null for a packed row
   */
  MemorySegment key(Arena ofRow) {
    return view(key, keySize, ofRow);
  }

  /** Returns a view of the value; see {@link #key(Arena)}. */
  MemorySegment value(Arena ofRow) {
    return view(value, valueSize, ofRow);
  }

  /** One allocation for both kinds of rows, because otherwise the compiler would not remove it. */
  private MemorySegment view(long place, long size, Arena ofRow) {
    boolean packed = ofRow == null;
    return Memory.view(packed ? inMemory(place, size) : place, size, packed ? views() : ofRow);
  }

  /** Checks the offset, because another thread may move the iterator concurrently. */
  private long inMemory(long place, long size) {
    return address + Objects.checkFromIndexSize(place, size, memory.byteSize());
  }

  /** Copies the key of a packed row. */
  byte[] keyBytes() {
    return copy(key, keySize);
  }

  byte[] valueBytes() {
    return copy(value, valueSize);
  }

  private byte[] copy(long place, long size) {
    if (heap == null && rowsLeft >= MANY_ROWS) {
      heap = cursor.onHeap((int) packedSize());
    }
    if (heap != null) {
      int from = (int) place - ROWS;
      return Arrays.copyOfRange(heap, from, from + (int) size);
    }
    try {
      return Memory.toArray(inMemory(place, size), size);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Copies the key of a large row; the caller keeps the engine's iterator at the row. */
  byte[] largeKeyBytes() {
    return Memory.toArray(key, keySize);
  }

  byte[] largeValueBytes() {
    return Memory.toArray(value, valueSize);
  }

  private Arena views() {
    if (viewer != Thread.currentThread()) {
      beginViews();
    }
    return views;
  }

  private void beginViews() {
    if (viewer != null) {
      sharedByThreads = true; // these views belong to another thread, so this thread cannot end them
    }
    views = Arena.ofConfined();
    viewer = Thread.currentThread();
    Memory.keep(memory, views);
  }

  /** Notes that more than one thread has used this. */
  void shareByThreads() {
    sharedByThreads = true;
  }

  /**
   * Ends the views of packed rows, and keeps the memory for another iterator if no other thread can read it;
   * idempotent.
   *
   * @param byUser whether the calling thread is the last user
   */
  void giveBack(boolean byUser) {
    if (givenBack) {
      return;
    }
    givenBack = true;
    if (byUser && !sharedByThreads && endViews()) {
      room.keep(cursor);
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
      return false; // an operation of this thread still uses a view
    }
  }
}
