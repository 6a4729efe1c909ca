/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * A native iterator and the block of rows last read from it; a child of its database. One thread at a
 * time, and any thread may close: an attempt of two threads at once is refused, and a close waits for the
 * step in progress.
 *
 * <p>Small rows lie in this object's own memory: after a move their views are stale, and they die at the close, if that
 * is by the thread that has them; otherwise their memory lives as long as they do. A large row stays where the engine
 * has it, and its views die at the move, or at the close: they are confined to the thread that asked for them. While
 * another thread has such views open, the iterator cannot move, and closing leaves its native part to that thread.
 */
public final class Rows implements Database.Child, Forgettable {
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
  private final Handle database;
  private final String kind;

  private final boolean ofSnapshot;
  private final NativeIterator iterator;
  private final RowBlock block;

  private volatile int state = IDLE;

  // Who used this last. Only that thread reads the block without a turn of its own.
  private Thread user = Thread.currentThread();

  private boolean ahead;

  // Of the current row, if it is a large one.
  private Arena views;
  private Thread viewer;

  /**
   * Opens an iterator over a source, for reading on and on.
   *
   * @param snapshot may be null
   * @param lower the first key of the range, or null
   * @param upper the first key behind the range, or null
   */
  public static Rows inBlocks(
      Source source, Map<ReadSetting, Long> settings, NativeSnapshot snapshot, byte[] lower, byte[] upper) {
    return open(source, settings, snapshot, lower, upper, RowBlock.Room.FOR_MANY_ROWS, "scan");
  }

  /** Likewise, for going to and fro. */
  public static Rows oneByOne(
      Source source, Map<ReadSetting, Long> settings, NativeSnapshot snapshot, byte[] lower, byte[] upper) {
    return open(source, settings, snapshot, lower, upper, RowBlock.Room.FOR_ONE_ROW, "cursor");
  }

  private static Rows open(
      Source source,
      Map<ReadSetting, Long> settings,
      NativeSnapshot snapshot,
      byte[] lower,
      byte[] upper,
      RowBlock.Room room,
      String kind) {
    StackRoom.require();
    Call call = source.enter();
    try {
      NativeIterator iterator =
          lower == null && upper == null
              ? NativeIterator.overAll(source, room.size)
              : NativeIterator.overRange(source, new RangeOptions(settings, snapshot, lower, upper), room.size);
      try {
        Rows rows = new Rows(source, iterator, snapshot != null, room, kind);
        source.database().register(rows);
        return rows;
      } catch (Throwable e) {
        iterator.destroy();
        throw e;
      }
    } finally {
      call.exit();
    }
  }

  private Rows(Source source, NativeIterator iterator, boolean ofSnapshot, RowBlock.Room room, String kind) {
    this.source = source;
    this.database = source.database().handle();
    this.iterator = iterator;
    this.ofSnapshot = ofSnapshot;
    this.kind = kind;
    block = new RowBlock(room);
    block.readFrom(iterator);
  }

  /** Has rows of up to this size copied together, from the next move on, and only larger ones pointed at. */
  public void packRowsUpTo(int size) {
    begin();
    block.packRowsUpTo(size);
    end();
  }

  /** Moves to an end of the range and reads up to {@code limit} rows; false if there is none. */
  public boolean first(int limit) {
    return read(RocksDbC.ROCKSDB_FFM_FIRST(), 0, 0, limit, false);
  }

  public boolean last(int limit) {
    return read(RocksDbC.ROCKSDB_FFM_LAST(), 0, 0, limit, true);
  }

  /** Moves to the first key that is not below this one. Unlike the source, the iterator needs its snapshot no more. */
  public boolean seek(byte[] key, int limit) {
    Call call = Call.enter(database);
    try {
      call.copyKey(key);
    } catch (Throwable e) {
      call.exit();
      throw e;
    }
    return seek(call, limit);
  }

  /** Moves to the first key that is not below the call's key, and leaves the call. */
  public boolean seek(Call call, int limit) {
    try {
      return read(RocksDbC.ROCKSDB_FFM_SEEK(), call.keyAddress(), call.keySize(), limit, false);
    } finally {
      call.exit();
    }
  }

  /** Moves to the last key that is not above the call's key, and leaves the call. */
  public boolean seekForPrevious(Call call, int limit) {
    try {
      return read(RocksDbC.ROCKSDB_FFM_SEEK_FOR_PREV(), call.keyAddress(), call.keySize(), limit, true);
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
    if (!block.hasNext()) {
      return false;
    }
    try {
      block.next();
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
    return true;
  }

  private boolean step(int move, int limit, boolean backward) {
    requireRow();
    return read(ahead ? RocksDbC.ROCKSDB_FFM_STAY() : move, 0, 0, limit, backward);
  }

  /** Lets the iterator see the database as it is now; it stands nowhere afterwards. */
  public void refresh() {
    if (ofSnapshot) {
      throw new IllegalStateException(name() + " reads at a snapshot: it has nothing newer to see");
    }
    begin();
    try {
      endViews();
      block.leaveRow();
      Call call = source.enter();
      try {
        RocksDbC.rocksdb_iter_refresh(iterator.pointer(), call.error);
        Status.check(call.error, name());
      } finally {
        call.exit();
      }
      end();
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  private boolean read(int move, long target, long targetSize, int limit, boolean backward) {
    long began = FlightRecords.begin();
    if (Frame.areLookedFor()) {
      Frame.requireStack();
    }
    begin();
    try {
      endViews();
      block.leaveRow();
      long count = block.read(move, target, targetSize, limit, backward);
      database.requireSound();
      if (count == 0) {
        Status.check(block.error(), name());
      } else {
        ahead = block.isAhead();
        block.enter(count);
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

  /** Whether it stands on a row. */
  public boolean hasRow() {
    requireOpen();
    return block.hasRow();
  }

  public long keySize() {
    requireRow();
    return block.keySize();
  }

  public long valueSize() {
    requireRow();
    return block.valueSize();
  }

  public MemorySegment key() {
    requireRow();
    try {
      return block.key(viewsOfLarge());
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public MemorySegment value() {
    requireRow();
    try {
      return block.value(viewsOfLarge());
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public byte[] keyBytes() {
    requireRow();
    if (block.isPointedAt()) {
      return copyOfLarge(RowBlock::largeKeyBytes);
    }
    try {
      return block.keyBytes();
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public byte[] valueBytes() {
    requireRow();
    if (block.isPointedAt()) {
      return copyOfLarge(RowBlock::largeValueBytes);
    }
    try {
      return block.valueBytes();
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  /** A copy needs no view: the iterator cannot move while it is taken. */
  private byte[] copyOfLarge(Function<RowBlock, byte[]> bytes) {
    begin();
    try {
      requirePointedAt();
      byte[] copy = bytes.apply(block);
      end();
      return copy;
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  /**
   * Where the views of the row are, if it is a large one; otherwise null. Once this thread has one of it, nobody else
   * can move the iterator, or destroy it.
   */
  private Arena viewsOfLarge() {
    if (!block.isPointedAt()) {
      return null;
    }
    if (viewer != Thread.currentThread()) {
      beginViews();
    }
    return views;
  }

  private void beginViews() {
    begin();
    try {
      requirePointedAt();
      if (views != null) {
        throw heldElsewhere();
      }
      views = Arena.ofConfined();
      viewer = Thread.currentThread();
      end();
    } catch (Throwable e) {
      state = IDLE;
      throw e;
    }
  }

  private void requirePointedAt() {
    if (!block.isPointedAt()) {
      throw movedByAnother();
    }
  }

  private IllegalStateException movedByAnother() {
    return new IllegalStateException(name() + " was moved by another thread: it serves one at a time");
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
        name() + ": thread '" + viewer.getName() + "' holds views of the current row; it must call releaseRow() first");
  }

  private void requireRow() {
    requireOpen();
    if (!block.hasRow()) {
      throw new IllegalStateException(name() + " is not at a row: seek, and go on only while the answer is true");
    }
  }

  private void requireOpen() {
    if (state == CLOSED || user != Thread.currentThread()) {
      changeUser();
    }
  }

  private void changeUser() {
    begin();
    end();
  }

  private IllegalStateException closed() {
    return database.isClosed() ? database.closedException() : new IllegalStateException(name() + " is closed");
  }

  private void begin() {
    Thread caller = Thread.currentThread();
    if (user != caller) {
      block.shareByThreads();
    }
    if (STATE.compareAndSet(this, IDLE, BUSY)) {
      if (user != caller) {
        user = caller; // without a call, for the same reason as at the end
      }
      return;
    }
    if (state == CLOSED) {
      close(); // if it was left to this thread's views
      throw closed();
    }
    throw new IllegalStateException(name() + " is in use by another thread: it serves one at a time");
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
    return ENGINES_WEIGHT + block.size();
  }

  @Override
  public boolean isClosed() {
    return state == CLOSED;
  }

  @Override
  public String name() {
    return kind + " over " + source.family().handle();
  }

  /**
   * Destroys the iterator, unless a thread still has views of its row: then that thread will, at its next
   * use of this object, or the collector, if the thread forgets it and its views. Until then the native
   * database is kept as for a pinned value.
   */
  private synchronized void destroyUnlessViewed() {
    if (views != null && viewer != Thread.currentThread() && viewer.isAlive()) {
      if (iterator.keep() && Memory.segmentsHoldScope()) {
        Reclaimer.whenUnreachable(views.scope(), weight(), iterator::destroy);
      }
      return;
    }
    if (views != null) {
      forgetViews();
    }
    iterator.destroy();
    block.giveBack(user == Thread.currentThread());
  }
}
