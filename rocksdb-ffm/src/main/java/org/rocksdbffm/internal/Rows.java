/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_cursor;
import org.rocksdbffm.internal.c.rocksdb_ffm_slice;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * A native iterator and the block of rows last read from it; a child of its database. One thread at a
 * time, and any thread may close: an attempt of two threads at once is refused, and a close waits for the
 * step in progress.
 *
 * <p>Small rows lie in this object's own memory, which lives as long as anybody can reach it: after a
 * move they are stale and never freed. A large row stays where the engine has it, and its views die at
 * the move, or at the close: they are confined to the thread that asked for them. While another thread
 * has such views open, the iterator cannot move, and closing leaves its native part to that thread.
 */
public final class Rows implements Database.Child, Forgettable {
  /** A row with more bytes than this is pointed at, not copied. */
  static final int INLINE_LIMIT = Math.max(0, Integer.getInteger("org.rocksdbffm.inlineLimit", 2048));

  private static final int HEADER_SIZE = 2 * Integer.BYTES;
  private static final long LARGE_KEY = rocksdb_ffm_cursor.large_key$offset();
  private static final long LARGE_VALUE = rocksdb_ffm_cursor.large_value$offset();
  private static final long SLICE_SIZE = rocksdb_ffm_slice.size$offset();
  private static final long PARKED_NANOS = 20_000;

  /** About what the engine's iterator takes, beside the files that it keeps. */
  private static final long ENGINES_WEIGHT = 16 << 10;

  private static final int IDLE = 0;
  private static final int BUSY = 1;
  private static final int CLOSED = 2;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Rows.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Source source;
  private final String name;

  private final boolean ofSnapshot;
  private final NativeIterator iterator;
  private final MemorySegment cursor;
  private final MemorySegment buffer;

  private volatile int state = IDLE;

  // The current row. Plain fields: a thread that reads them while another moves is told off at its next
  // move, and sees no more than a wrong part of the buffer until then.
  private long rowsLeft;
  private long nextRow;
  private long keyStart = -1;
  private long keySize;
  private long valueSize;
  private boolean ahead;
  private boolean pointedAt;
  private Arena views;
  private Thread viewer;

  // Every segment of an arena holds its scope, if that is one object: nobody reads once it is unreachable.
  private boolean scopeIsHeld;

  /**
   * Opens an iterator over a source.
   *
   * @param lower the first key of the range, or null
   * @param upper the first key behind the range, or null
   * @param bufferSize room for packed rows
   * @param snapshot may be null
   */
  public static Rows open(
      Source source,
      Map<ReadSetting, Long> settings,
      NativeSnapshot snapshot,
      byte[] lower,
      byte[] upper,
      int bufferSize,
      String kind) {
    NativeReadOptions options = new NativeReadOptions(settings).withBounds(lower, upper);
    if (snapshot != null) {
      options.withSnapshot(snapshot);
    }
    Call call = source.enter();
    try {
      Rows rows = new Rows(source, options, snapshot != null, bufferSize, kind);
      try {
        source.database().register(rows);
        return rows;
      } catch (Throwable e) {
        rows.iterator.destroy();
        throw e;
      }
    } finally {
      call.exit();
    }
  }

  private Rows(Source source, NativeReadOptions options, boolean ofSnapshot, int bufferSize, String kind) {
    this.source = source;
    this.ofSnapshot = ofSnapshot;
    this.name = kind + " over " + source.family().handle();
    Arena arena = Arena.ofAuto();
    buffer = arena.allocate(bufferSize);
    cursor = rocksdb_ffm_cursor.allocate(arena);
    rocksdb_ffm_cursor.engine(cursor, Engine.TABLE);
    rocksdb_ffm_cursor.buffer(cursor, buffer);
    rocksdb_ffm_cursor.capacity(cursor, bufferSize);
    rocksdb_ffm_cursor.inline_limit(cursor, Math.min(INLINE_LIMIT, bufferSize - HEADER_SIZE));
    iterator = new NativeIterator(source, options, bufferSize);
    rocksdb_ffm_cursor.iterator(cursor, iterator.pointer());
  }

  /** Moves to an end of the range and reads up to {@code limit} rows; false if there is none. */
  public boolean first(int limit) {
    return read(RocksDbC.ROCKSDB_FFM_FIRST(), MemorySegment.NULL, 0, limit, false);
  }

  public boolean last(int limit) {
    return read(RocksDbC.ROCKSDB_FFM_LAST(), MemorySegment.NULL, 0, limit, true);
  }

  /** Moves to the first key that is not below the call's key, and leaves the call. */
  public boolean seek(Call call, int limit) {
    try {
      return read(RocksDbC.ROCKSDB_FFM_SEEK(), call.key(), call.keySize(), limit, false);
    } finally {
      call.exit();
    }
  }

  /** Moves to the last key that is not above the call's key, and leaves the call. */
  public boolean seekForPrevious(Call call, int limit) {
    try {
      return read(RocksDbC.ROCKSDB_FFM_SEEK_FOR_PREV(), call.key(), call.keySize(), limit, true);
    } finally {
      call.exit();
    }
  }

  /** Moves from the last row that was read, and reads up to {@code limit} rows from there on. */
  public boolean next(int limit) {
    return step(RocksDbC.ROCKSDB_FFM_NEXT(), limit, false);
  }

  public boolean previous(int limit) {
    return step(RocksDbC.ROCKSDB_FFM_PREV(), limit, true);
  }

  /** Moves to the next row of the block that was read; false if there is none left. */
  public boolean stepInBlock() {
    requireOpen();
    if (rowsLeft <= 0) {
      return false;
    }
    nextOfBlock();
    return true;
  }

  private boolean step(int move, int limit, boolean backward) {
    requireRow();
    return read(ahead ? RocksDbC.ROCKSDB_FFM_STAY() : move, MemorySegment.NULL, 0, limit, backward);
  }

  /** Lets the iterator see the database as it is now; it stands nowhere afterwards. */
  public void refresh() {
    if (ofSnapshot) {
      throw new IllegalStateException(name + " reads at a snapshot: it has nothing newer to see");
    }
    begin();
    try {
      endViews();
      leaveRow();
      Call call = source.enter();
      try {
        RocksDbC.rocksdb_iter_refresh(iterator.pointer(), call.error);
        Status.check(call.error, name);
      } finally {
        call.exit();
      }
      end();
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  private boolean read(int move, MemorySegment target, long targetSize, int limit, boolean backward) {
    long began = FlightRecords.begin();
    begin();
    try {
      endViews();
      leaveRow();
      long count = RocksDbC.rocksdb_ffm_scan(cursor, move, target, targetSize, limit, backward ? 1 : 0);
      if (count == 0) {
        checkError();
      } else {
        enterBlock(count);
      }
      end();
      if (began != 0) {
        FlightRecords.ended(began);
      }
      return count != 0;
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  private void enterBlock(long count) {
    ahead = rocksdb_ffm_cursor.ahead(cursor) != 0;
    pointedAt = Memory.pointer(cursor, LARGE_KEY) != 0;
    if (pointedAt) {
      keyStart = 0;
      keySize = Memory.pointer(cursor, LARGE_KEY + SLICE_SIZE);
      valueSize = Memory.pointer(cursor, LARGE_VALUE + SLICE_SIZE);
      rowsLeft = 0;
    } else {
      nextRow = 0;
      rowsLeft = count;
      nextOfBlock();
    }
  }

  private void nextOfBlock() {
    long row = nextRow;
    try {
      keySize = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, row);
      valueSize = buffer.get(ValueLayout.JAVA_INT_UNALIGNED, row + Integer.BYTES);
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
    keyStart = row + HEADER_SIZE;
    nextRow = keyStart + keySize + valueSize;
    rowsLeft--;
  }

  private void leaveRow() {
    keyStart = -1;
    rowsLeft = 0;
    pointedAt = false;
  }

  private void checkError() {
    MemorySegment error = cursor.asSlice(rocksdb_ffm_cursor.error$offset(), Long.BYTES);
    Status.check(error, name);
  }

  /** Whether it stands on a row. */
  public boolean hasRow() {
    requireOpen();
    return keyStart >= 0;
  }

  public MemorySegment key() {
    requireRow();
    return pointedAt ? viewOf(LARGE_KEY) : packed(keyStart, keySize);
  }

  public MemorySegment value() {
    requireRow();
    return pointedAt ? viewOf(LARGE_VALUE) : packed(keyStart + keySize, valueSize);
  }

  private MemorySegment packed(long start, long size) {
    try {
      return buffer.asSlice(start, size).asReadOnly();
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public byte[] keyBytes() {
    requireRow();
    return pointedAt ? copyOf(LARGE_KEY) : copyOfPacked(keyStart, keySize);
  }

  public byte[] valueBytes() {
    requireRow();
    return pointedAt ? copyOf(LARGE_VALUE) : copyOfPacked(keyStart + keySize, valueSize);
  }

  private byte[] copyOfPacked(long start, long size) {
    if (size < 0 || size > buffer.byteSize()) {
      throw movedByAnother();
    }
    byte[] copy = new byte[(int) size];
    try {
      MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, start, copy, 0, copy.length);
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
    return copy;
  }

  /** A copy needs no view: the iterator cannot move while it is taken. */
  private byte[] copyOf(long slice) {
    begin();
    try {
      requireRow();
      if (!pointedAt) {
        throw movedByAnother();
      }
      byte[] copy = Memory.toArray(Memory.pointer(cursor, slice), Memory.pointer(cursor, slice + SLICE_SIZE));
      end();
      return copy;
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  private IllegalStateException movedByAnother() {
    return new IllegalStateException(name + " was moved by another thread: it serves one at a time");
  }

  public long keySize() {
    requireRow();
    return keySize;
  }

  public long valueSize() {
    requireRow();
    return valueSize;
  }

  private MemorySegment viewOf(long slice) {
    begin();
    try {
      requireRow();
      if (!pointedAt) {
        throw movedByAnother();
      }
      if (views == null) {
        views = Arena.ofConfined();
        viewer = Thread.currentThread();
      } else if (viewer != Thread.currentThread()) {
        throw heldElsewhere();
      }
      MemorySegment view =
          Memory.view(Memory.pointer(cursor, slice), Memory.pointer(cursor, slice + SLICE_SIZE), views);
      scopeIsHeld = view.scope() == views.scope();
      end();
      return view;
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  /** Ends the views of the current row, so that another thread may go on. */
  public void releaseRow() {
    begin();
    try {
      endViews();
      end();
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  private void endViews() {
    if (views != null) {
      if (viewer != Thread.currentThread() && viewer.isAlive()) {
        throw heldElsewhere();
      }
      forgetViews();
    }
  }

  private void forgetViews() {
    if (viewer == Thread.currentThread()) {
      views.close();
    }
    views = null;
    viewer = null;
  }

  private IllegalStateException heldElsewhere() {
    return new IllegalStateException(
        name + ": thread '" + viewer.getName() + "' holds views of the current row; it must call releaseRow() first");
  }

  private void requireRow() {
    requireOpen();
    if (keyStart < 0) {
      throw new IllegalStateException(name + " is not at a row: seek, and go on only while the answer is true");
    }
  }

  private void requireOpen() {
    if (state == CLOSED) {
      close(); // if it was left to this thread's views
      throw closed();
    }
  }

  private IllegalStateException closed() {
    Handle parent = source.database().handle();
    return parent.isClosed() ? parent.closedException() : new IllegalStateException(name + " is closed");
  }

  private void begin() {
    if (STATE.compareAndSet(this, IDLE, BUSY)) {
      return;
    }
    if (state == CLOSED) {
      close(); // if it was left to this thread's views
      throw closed();
    }
    throw new IllegalStateException(name + " is in use by another thread: it serves one at a time");
  }

  /**
   * Ends a step that went well. Where it did not, the field is set without a call: a thread whose stack is
   * full cannot make one, and who closes waits for the step to end.
   */
  private void end() {
    STATE.setRelease(this, IDLE);
  }

  /** Waits for the step in progress, refuses others, and destroys the iterator; idempotent. */
  public void close() {
    while (state != CLOSED && !STATE.compareAndSet(this, IDLE, CLOSED)) {
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
    }
    destroyUnlessViewed();
    source.database().unregister(this);
  }

  @Override
  public void closeByParent() {
    close();
  }

  @Override
  public void closeForgotten() {
    close();
  }

  @Override
  public long weight() {
    return ENGINES_WEIGHT + buffer.byteSize();
  }

  @Override
  public boolean isClosed() {
    return state == CLOSED;
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Destroys the iterator, unless a thread still has views of its row: then that thread will, at its next
   * use of this object, or the collector, if the thread forgets it and its views. Until then the native
   * database is kept as for a pinned value.
   */
  private synchronized void destroyUnlessViewed() {
    if (views != null && viewer != Thread.currentThread() && viewer.isAlive()) {
      if (iterator.keep() && scopeIsHeld) {
        Reclaimer.whenUnreachable(views.scope(), weight(), iterator::destroy);
      }
      return;
    }
    if (views != null) {
      forgetViews();
    }
    iterator.destroy();
  }
}
