/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.scan;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongSupplier;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.Structs;
import org.rocksdbffm.internal.foreign.WrittenBytes;
import org.rocksdbffm.internal.scan.CursorMemory;
import org.rocksdbffm.internal.scan.NativeCursor;
import org.rocksdbffm.internal.scan.ReadAhead;

/**
 * The current entry of an iterator that the drop-in knows by a raw pointer, <em>borrowed until</em> {@link #free}. One
 * engine call moves the iterator and returns the addresses of key and value. Used by one thread at a time, except where
 * a method says otherwise.
 *
 * <p>After some steps in one direction it reads ahead: a call then copies many entries, and most steps make no call.
 * The engine's iterator reads a snapshot, so entries read ahead are the entries that would be read later.
 *
 * <p>Copied entries are in a heap array, in which the reading thread can step without excluding others. A thread that
 * moves the iterator concurrently causes wrong entries at most: offsets in the array are never used for native memory.
 */
public final class ReadAheadCursor extends NativeCursor {
  /** Whether entries may be read ahead. */
  public enum Kind {
    /** The iterator's entries do not change, so they are read ahead. */
    LASTING,
    /** Later entries may still change, so none is read before it is needed. */
    GROWING
  }

  private static final long NO_TARGET = 0;
  private static final int FORWARD = 0;
  private static final int BACKWARD = 1;

  private static final int MOST_ROWS_AHEAD = 16;
  private static final int ROOM_FOR_A_FEW = 800; // with the struct, a size that allocators serve quickly
  private static final int ROOM_FOR_MANY = 16 << 10;
  private static final int A_FEW = 4;
  private static final long LARGEST_ROW_AHEAD = 1 << 10;
  private static final int LARGEST_KEY_COPIED = 1 << 8;

  /**
   * Memory of freed cursors, for reuse: programs open and close many cursors that read few rows each. At most sixteen.
   */
  private static final Spare[] SPARES = spares();

  /** A slot for the memory of one freed cursor. Threads rarely share one. */
  private static final class Spare {
    static final AtomicReferenceFieldUpdater<Spare, CursorMemory> MEMORY =
        AtomicReferenceFieldUpdater.newUpdater(Spare.class, CursorMemory.class, "memory");

    volatile CursorMemory memory;
    @SuppressWarnings("unused") // padding, so that slots share no cache line
    long a, b, c, d, e, f, g, h;
  }

  // The parts of the result of a scan: see the stub.
  private static final long AHEAD = 1L << 16;
  private static final int PACKED_SIZE = 32;

  // The offsets of an int's lowest bytes.
  private static final int LOWEST = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : 3;
  private static final int SECOND = LOWEST == 0 ? 1 : 2;

  private final CursorMemory memory; // the struct, and space for a few entries
  private final long iterator;
  private final ReadAhead ahead;
  private final LongSupplier batch; // null without a batch
  private WrittenBytes written;
  private ByteBuffer buffer; // of packed entries
  private long bufferAddress;
  private MemorySegment many; // the buffer of a cursor that reads many entries per call; null otherwise
  private byte[] copies = {}; // a copy of the buffer on the heap, which cannot be freed while it is read

  // An entry in the engine's memory.
  private boolean isPointedAt;
  private long keyAddress;
  private long keySize;
  private long valueAddress;
  private long valueSize;
  private long keyOffset = WrittenBytes.ELSEWHERE; // in the batch's buffer
  private long valueOffset = WrittenBytes.ELSEWHERE;

  // An entry in the copies, and the thread that made them.
  private boolean isCopied;
  private boolean isKeyCopied; // whether the key of an entry in the engine's memory was copied
  private boolean isLeftOver; // whether the iterator is off an entry, and bytes are shown that the engine left
  private long reader;
  private int start;
  private int copiedKeySize;
  private int copiedValueSize;

  // The direction of the steps, and the entries read ahead in it: the number of entries left in the buffer, and whether
  // the iterator is on an entry after them, or at the end.
  private int direction;
  private int waiting;
  private int nextRow;
  private boolean isBeyond;
  private boolean isAtEnd;

  public ReadAheadCursor(long iterator, Kind kind) {
    this(takeMemory(), iterator, kind, null);
  }

  /**
   * Creates a cursor over a batch and its base database. {@code batch} is called when needed; the cursor's user keeps
   * the batch open.
   */
  public static ReadAheadCursor overBatch(long iterator, LongSupplier batch) {
    return new ReadAheadCursor(takeMemory(), iterator, Kind.GROWING, batch);
  }

  private static CursorMemory takeMemory() {
    Spare slot = spare();
    CursorMemory spare = slot.memory == null ? null : Spare.MEMORY.getAndSet(slot, null);
    return spare != null ? spare : allocate();
  }

  @CompiledApart
  private static CursorMemory allocate() {
    MemorySegment memory = Memory.allocate(CursorMemory.STRUCT_SIZE + ROOM_FOR_A_FEW);
    try {
      CursorMemory made = new CursorMemory(memory, EngineTable.Counting.TABLE, CursorMemory.STRUCT_SIZE);
      made.word(Structs.CURSOR_INLINE_LIMIT, LARGEST_ROW_AHEAD);
      return made;
    } catch (Throwable e) {
      Memory.free(memory);
      throw e;
    }
  }

  private static Spare[] spares() {
    Spare[] spares = new Spare[1 << 4];
    for (int i = 0; i < spares.length; i++) {
      spares[i] = new Spare();
    }
    return spares;
  }

  private static Spare spare() {
    return SPARES[(int) Thread.currentThread().threadId() & SPARES.length - 1];
  }

  private ReadAheadCursor(CursorMemory memory, long iterator, Kind kind, LongSupplier batch) {
    super(memory);
    this.memory = memory;
    this.iterator = iterator;
    this.batch = batch;
    this.ahead = new ReadAhead(1, kind == Kind.LASTING ? MOST_ROWS_AHEAD : 1);
    buffer = memory.room();
    bufferAddress = memory.roomAddress();
  }

  private void makeRoomForMany() {
    many = Memory.allocate(ROOM_FOR_MANY);
    buffer = many.asByteBuffer().order(ByteOrder.nativeOrder());
    bufferAddress = many.address();
    memory.packInto(bufferAddress, ROOM_FOR_MANY);
  }

  public void first() {
    move(Codes.FIRST, NO_TARGET, 0, FORWARD);
  }

  public void last() {
    move(Codes.LAST, NO_TARGET, 0, BACKWARD);
  }

  public void next() {
    step(Codes.NEXT, FORWARD);
  }

  public void previous() {
    step(Codes.PREV, BACKWARD);
  }

  /** Moves to the first key at or after the call's key. */
  public void seek(Call call) {
    move(Codes.SEEK, call.keyAddress(), call.keySize(), FORWARD);
  }

  /** Moves to the last key at or before the call's key. */
  public void seekForPrevious(Call call) {
    move(Codes.SEEK_FOR_PREV, call.keyAddress(), call.keySize(), BACKWARD);
  }

  /** Moves to the next copied entry, if the calling thread made the copies and one is left. */
  public boolean nextCopied() {
    return stepInCopies(FORWARD);
  }

  public boolean previousCopied() {
    return stepInCopies(BACKWARD);
  }

  private boolean stepInCopies(int newDirection) {
    if (waiting > 0 && direction == newDirection && reader == Thread.currentThread().threadId()) {
      showNext();
      return true;
    }
    return false;
  }

  private void move(int where, long target, long size, int newDirection) {
    direction = newDirection;
    ahead.restart();
    read(where, target, size);
    if (batch != null && target != NO_TARGET && !isOnRow()) {
      copyKey(target, (int) size);
    }
  }

  private void step(int where, int newDirection) {
    if (direction != newDirection) {
      comeBack();
      direction = newDirection;
      ahead.restart();
    }
    if (waiting > 0) {
      reader = Thread.currentThread().threadId();
      showNext();
    } else {
      read(isBeyond ? Codes.STAY : where, NO_TARGET, 0, ahead.next());
    }
  }

  /** Moves the iterator back from the entries read ahead to the current entry. */
  public void comeBack() {
    if (isAtEnd && isCopied) {
      int size = copiedKeySize;
      read(Codes.SEEK, inBuffer(start, size), size);
    } else {
      int back = direction == FORWARD ? Codes.PREV : Codes.NEXT;
      for (int left = waiting + (isBeyond ? 1 : 0); left > 0; left--) {
        read(back, NO_TARGET, 0);
      }
    }
  }

  /** Checks the offset, because another thread may have replaced the copies concurrently. */
  private long inBuffer(long place, long size) {
    if ((place | size | buffer.capacity() - place - size) < 0) {
      throw movedByAnother();
    }
    return bufferAddress + place;
  }

  private void read(int where, long target, long size) {
    read(where, target, size, 1);
  }

  @CompiledApart
  private void read(int where, long target, long size, int limit) {
    leaveRow();
    if (limit > A_FEW && many == null) {
      makeRoomForMany();
    }
    long block = rocksdb_ffm_bare_scan(memory.address(), iterator, where, target, size, 2L * limit + direction);
    if (block == 0) {
      forgetError();
      return;
    }
    isBeyond = (block & AHEAD) != 0;
    int packed = (int) (block >>> PACKED_SIZE);
    if (packed > 0) {
      if (copies.length < packed) {
        copies = new byte[Math.min(2 * packed, ROOM_FOR_MANY)];
      }
      Scratch.copy(buffer, copies, packed);
      waiting = (int) (block & AHEAD - 1);
      isAtEnd = waiting < limit && !isBeyond;
      nextRow = 0;
      reader = Thread.currentThread().threadId();
      showNext();
      isCopied = true;
    } else {
      showPointedAt();
    }
  }

  private void showNext() {
    try {
      int keySize = sizeAt(nextRow);
      int valueSize = sizeAt(nextRow + Integer.BYTES);
      start = nextRow + HEADER_SIZE;
      copiedKeySize = keySize;
      copiedValueSize = valueSize;
      nextRow = start + keySize + valueSize;
      waiting--;
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  /** Returns a size in a row's header, an int with two zero bytes. */
  private int sizeAt(int place) {
    return copies[place + LOWEST] & 0xff | copies[place + SECOND] << Byte.SIZE;
  }

  private static IllegalStateException movedByAnother() {
    return new IllegalStateException("the iterator was moved by another thread: it serves one at a time");
  }

  private void showPointedAt() {
    keyAddress = largeKey();
    keySize = largeKeySize();
    valueAddress = largeValue();
    valueSize = largeValueSize();
    if (batch != null) {
      locateInBatch();
    }
    if (keySize <= LARGEST_KEY_COPIED || batch != null) {
      copyKey(keyAddress, (int) keySize);
      isKeyCopied = true;
    }
    isPointedAt = true;
  }

  /** Stores the offsets of key and value in the batch, because the batch moves its buffer when it grows. */
  private void locateInBatch() {
    if (written == null) {
      written = WrittenBytes.ofEnginesOwn(batch.getAsLong());
    }
    keyOffset = written.offsetOf(keyAddress);
    long behind = keyOffset + valueAddress - keyAddress; // not in the batch's buffer if the value was merged
    valueOffset =
        keyOffset != WrittenBytes.ELSEWHERE && written.isWithin(behind) ? behind : WrittenBytes.ELSEWHERE;
  }

  private void copyKey(long address, int size) {
    if (copies.length < size) {
      copies = new byte[Math.max(size, LARGEST_KEY_COPIED)];
    }
    Memory.copy(address, copies, 0, size);
    start = 0;
    copiedKeySize = size;
  }

  /** Frees the error message; the iterator keeps its status. */
  private void forgetError() {
    long error = takeError();
    if (error != 0) {
      RocksDbC.rocksdb_free(Memory.atAddress(error));
    }
  }

  /** Clears the entry, because the iterator was moved in another way. */
  public void leaveRow() {
    isPointedAt = false;
    isCopied = false;
    isKeyCopied = false;
    isLeftOver = false;
    waiting = 0;
    isBeyond = false;
    isAtEnd = false;
  }

  public boolean isOnRow() {
    return isPointedAt || isCopied;
  }

  /** Whether the value, or the key, is on the heap, so that reading it does not need the open iterator. */
  public boolean isCopied(boolean value) {
    return isCopied || isKeyCopied && !value || isLeftOver;
  }

  /** Whether the iterator is over a batch, so that reading its key off an entry would crash. */
  public boolean isOverBatch() {
    return batch != null;
  }

  /**
   * Shows a key with an empty value until the next move, for an iterator off an entry.
   *
   * @param key null for a batch: the last key, or the target of the seek
   */
  public void showLeftOver(byte[] key) {
    if (key != null) {
      copies = key;
      start = 0;
      copiedKeySize = key.length;
    }
    copiedValueSize = 0;
    isLeftOver = true;
  }

  /** Returns the address of the entry's value or key, if not on the heap. */
  public long address(boolean value) {
    long offset = value ? valueOffset : keyOffset;
    if (offset != WrittenBytes.ELSEWHERE) {
      return written.at(offset, size(value));
    }
    return value ? valueAddress : keyAddress;
  }

  public long size(boolean value) {
    return value ? valueSize : keySize;
  }

  /** Returns a copied key or value; may be called by any thread. */
  public byte[] copied(boolean value) {
    int from = startOf(value);
    byte[] copy = new byte[sizeOf(value, from)];
    System.arraycopy(copies, from, copy, 0, copy.length); // a fourth of the bytecode of Arrays.copyOfRange
    return copy;
  }

  public int copied(boolean value, byte[] target, int offset, int length) {
    int from = startOf(value);
    int size = sizeOf(value, from);
    System.arraycopy(copies, from, target, offset, Math.min(size, length));
    return size;
  }

  /** Copies to a buffer at its position, without moving the position. */
  public int copied(boolean value, ByteBuffer target) {
    int from = startOf(value);
    int size = sizeOf(value, from);
    Memory.copy(copies, from, Math.min(size, target.remaining()), target);
    return size;
  }

  private int startOf(boolean value) {
    return value ? start + copiedKeySize : start;
  }

  private int sizeOf(boolean value, int from) {
    int size = value ? copiedValueSize : copiedKeySize;
    if ((from | size | copies.length - from - size) < 0) {
      throw movedByAnother();
    }
    return size;
  }

  @CompiledApart
  public void free() {
    leaveRow();
    if (many != null) {
      Memory.free(many);
      memory.packIntoRoom();
    }
    if (written != null) {
      written.free();
    }
    if (!Spare.MEMORY.compareAndSet(spare(), null, memory)) {
      Memory.free(memory.segment());
    }
  }

  private static native long rocksdb_ffm_bare_scan(
      long cursor, long iterator, long move, long target, long targetSize, long limitAndBackward);
}
