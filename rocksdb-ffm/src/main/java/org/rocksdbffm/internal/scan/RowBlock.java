/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Predicate;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The memory that an iterator shares with the stubs: what both tell each other, and behind it room for the rows that
 * are packed. It goes from an iterator to the next, unless somebody may still look at it; then the collector has it.
 * Its user takes care that it is one thread at a time.
 */
final class RowBlock extends NativeCursor {
  /** How much room for packed rows there is. */
  enum Room {
    /** No more than one row that is packed takes: programs hold thousands of cursors. */
    FOR_ONE_ROW(Math.clamp(HEADER_SIZE + INLINE_LIMIT, 1 << 10, 8 << 10)),
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

  /** A row with more bytes than this is pointed at, not packed, unless somebody asks for something else. */
  private static final int INLINE_LIMIT = Math.max(0, Integer.getInteger("org.rocksdbffm.inlineLimit", 512));

  /** Room for copies grows by so much at most, beyond what a row needs. */
  private static final long MOST_COPY_AHEAD = 1 << 20;

  private static final long ROWS = STRUCT_SIZE;
  private static final long NOWHERE = -1;

  private final Room room;
  private final MemorySegment memory; // the struct, and the rows
  private final long address;

  // The current row, if there is one: addresses where it is pointed at, otherwise places in the memory.
  private boolean pointedAt;
  private long key;
  private long keySize;
  private long value;
  private long valueSize;
  private long rowsLeft;
  private long nextRow;

  // Room for a row that is pointed at, and which the engine does not keep where it is. It is used again for the next one,
  // because the views of a row end before that is read.
  private MemorySegment copy = MemorySegment.NULL;
  private boolean copied;

  // That of the views of packed rows, which are one thread's.
  private Arena views;
  private Thread viewer;
  private boolean sharedByThreads;
  private boolean givenBack;

  RowBlock(Room room, NativeIterator iterator) {
    this(room, room.take(), iterator);
  }

  private RowBlock(Room room, MemorySegment memory, NativeIterator iterator) {
    super(memory, EngineTable.TABLE);
    this.room = room;
    this.memory = memory;
    this.address = memory.address();
    readFrom(iterator.pointer().address());
    packInto(address + ROWS, room.size);
    packRowsUpTo(INLINE_LIMIT);
    leaveRow();
  }

  /** From the next move on larger rows are pointed at. */
  void packRowsUpTo(int size) {
    pointAbove(Math.min(size, room.size - HEADER_SIZE));
  }

  long read(int move, long target, long targetSize, int limit, boolean backward) {
    try {
      return scan(move, target, targetSize, limit, backward ? 1 : 0);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  int size() {
    return room.size;
  }

  /** Goes to the first of the rows that were just read. */
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

  /** Goes to the first of the rows that were just read, without those from the first on that fails; false if it is that. */
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

  /** The key of the current row for a look at it, before the row is anybody else's. */
  MemorySegment currentKey() {
    return pointedAt ? Memory.at(key, keySize) : memory.asSlice(key, keySize);
  }

  /** Whether the row that was just read is one that is pointed at. */
  boolean isLarge() {
    return largeKey() != 0;
  }

  /** Copies that row: the engine is to keep it no longer. */
  void copyLarge() {
    long size = Math.addExact(largeKeySize(), largeValueSize());
    if (copy.byteSize() < size) {
      copy = Arena.ofAuto().allocate(Math.max(size, Math.min(2 * copy.byteSize(), MOST_COPY_AHEAD)));
    }
    Memory.copy(largeKey(), largeKeySize(), copy.address());
    Memory.copy(largeValue(), largeValueSize(), copy.address() + largeKeySize());
    copied = true;
  }

  /** Keeps the copy of the row for as long as its views live. */
  void keepCopyFor(Arena views) {
    if (copied) {
      Memory.keep(copy, views);
    }
  }

  boolean hasNext() {
    return rowsLeft > 0;
  }

  void next() {
    long row = nextRow;
    keySize = memory.get(ValueLayout.JAVA_INT_UNALIGNED, row);
    valueSize = memory.get(ValueLayout.JAVA_INT_UNALIGNED, row + Integer.BYTES);
    key = row + HEADER_SIZE;
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

  /** Whether the row lies where the engine has it. */
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
   * A view of the key.
   *
   * @param ofRow the arena that lives as long as a row that is pointed at; null for one that is packed
   */
  MemorySegment key(Arena ofRow) {
    return view(key, keySize, ofRow);
  }

  /** A view of the value; see {@link #key(Arena)}. */
  MemorySegment value(Arena ofRow) {
    return view(value, valueSize, ofRow);
  }

  /** Made in one place for both kinds of rows, or else the compiler would not do without the object. */
  private MemorySegment view(long place, long size, Arena ofRow) {
    boolean packed = ofRow == null;
    return Memory.view(packed ? inMemory(place, size) : place, size, packed ? views() : ofRow);
  }

  /** Checked, because another thread may move on meanwhile. */
  private long inMemory(long place, long size) {
    return address + Objects.checkFromIndexSize(place, size, memory.byteSize());
  }

  /** The key of a row that is packed. */
  byte[] keyBytes() {
    return copy(key, keySize);
  }

  byte[] valueBytes() {
    return copy(value, valueSize);
  }

  private byte[] copy(long place, long size) {
    try {
      return Memory.toArray(inMemory(place, size), size);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** The key of a row that is pointed at, which the caller keeps where it is. */
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
      sharedByThreads = true; // its views are not ours to end
    }
    views = Arena.ofConfined();
    viewer = Thread.currentThread();
    Memory.keep(memory, views);
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
