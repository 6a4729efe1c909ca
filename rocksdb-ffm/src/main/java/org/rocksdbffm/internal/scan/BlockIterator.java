/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.read.NativeColumns;
import org.rocksdbffm.internal.read.RangeOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.settings.ReadSetting;
import org.rocksdbffm.internal.transaction.NativeOverlay;

/**
 * The rows of an open iterator, read in blocks. Used by one thread at a time, which is checked; any thread may close
 * it. Concurrent use is refused, and a close waits for the step in progress.
 *
 * <p>Small rows are copied to this object's memory. After a move, views of small rows are stale. The views end at the
 * close if the thread that has the views closes the iterator; otherwise their memory lives as long as the views are
 * reachable. A large row stays in the engine's memory, and its views, confined to the thread that asked for them, end
 * at the next move or close. While another thread has such views open, the iterator cannot move, and a close leaves the
 * native iterator to that thread.
 */
public sealed class BlockIterator permits OverlayRows {
  /** The columns of a row, and the arena of their views. */
  public record RowColumns(NativeColumns columns, Arena arena) {}

  final OpenIterator open;
  private final Handle database;
  private final boolean ofSnapshot;
  final RowBlock block;

  // The range's ends, if rows must be compared with them because the engine's bounds do not suffice; otherwise null.
  private final RangeEnds ends;

  // Whether the first of the rows that were read lies before the range, in the direction of the read.
  private boolean isBesideRange;

  // The thread that used this last. Only this thread reads the block without exclusive access.
  private Thread user = Thread.currentThread();

  private boolean ahead;

  // Views of the current row, if it is a large one.
  private final RowViews views = new RowViews();

  /**
   * Opens an iterator that reads many rows at a time, in one direction. Forward it starts at the lower bound.
   *
   * @param snapshot may be null
   * @param ends the ends of the range
   */
  public static BlockIterator inBlocks(
      ReadPath path,
      Map<ReadSetting, Long> settings,
      ReadPoint snapshot,
      RangeEnds ends,
      boolean backward) {
    // A forward scan starts at the lower bound, so the engine needs no bound there.
    return open(path, settings, snapshot, ends, backward, RowBlock.Room.FOR_MANY_ROWS, "scan");
  }

  /** Opens an iterator as {@link #inBlocks} does, for moves in both directions. */
  public static BlockIterator oneByOne(
      ReadPath path,
      Map<ReadSetting, Long> settings,
      ReadPoint snapshot,
      RangeEnds ends) {
    return open(path, settings, snapshot, ends, true, RowBlock.Room.FOR_ONE_ROW, "cursor");
  }

  private static BlockIterator open(
      ReadPath path,
      Map<ReadSetting, Long> settings,
      ReadPoint snapshot,
      RangeEnds ends,
      boolean isBoundBelow,
      RowBlock.Room room,
      String kind) {
    StackRoom.require();
    byte[] lower = isBoundBelow ? ends.lower() : null;
    Call call = path.enter();
    try {
      RangeOptions options = RangeOptions.of(path, settings, snapshot, lower, ends.upper(), ends.allowPrefixFilters());
      NativeIterator iterator = NativeIterator.open(path, options, room.size);
      try {
        OpenIterator open = new OpenIterator(path, path.parent(), iterator, room.size, kind);
        BlockIterator rows =
            path.parent() instanceof NativeOverlay overlay
                ? new OverlayRows(open, snapshot != null, ends, room, overlay)
                : new BlockIterator(open, snapshot != null, ends, room);
        path.parent().register(open);
        return rows;
      } catch (Throwable e) {
        iterator.destroy();
        throw e;
      }
    } finally {
      call.exit();
    }
  }

  BlockIterator(OpenIterator open, boolean ofSnapshot, RangeEnds ends, RowBlock.Room room) {
    this.open = open;
    this.ends = ends.areChecked() ? ends : null;
    this.database = open.path.database().handle();
    this.ofSnapshot = ofSnapshot;
    block = new RowBlock(room, open.iterator);
  }

  /** Watches the user's object: if it becomes unreachable unclosed, the rows are closed. */
  public final LeakWatch watch(Object user) {
    return LeakWatch.over(user, open);
  }

  /** Sets the size up to which rows are copied to the block, from the next move on; larger rows are read in place. */
  public void packRowsUpTo(int size) {
    begin();
    try {
      block.packRowsUpTo(size);
    } finally {
      open.end();
    }
  }

  /** Moves to the start of the range, and reads up to {@code limit} rows; returns false if the range is empty. */
  public final boolean first(int limit) {
    return behindStart(read(Codes.FIRST, 0, 0, limit, false), limit);
  }

  public final boolean last(int limit) {
    return ends != null && ends.includedEnd() != null
        ? atEnd(limit)
        : read(Codes.LAST, 0, 0, limit, true);
  }

  /** Moves to the last key of a range with an inclusive end. */
  private boolean atEnd(int limit) {
    byte[] end = ends.includedEnd();
    return seekForPrevious(enter().withKey(end), limit);
  }

  /** Skips the first row if it is the excluded start of the range; returns whether there is a row. */
  private boolean behindStart(boolean found, int limit) {
    return found
        && (!isBesideRange || stepInBlock() || next(limit));
  }

  /** Enters a call for a seek. Unlike the path, an open iterator needs neither its snapshot nor exclusive access. */
  public final Call enter() {
    return Call.enter(database);
  }

  /** Moves to the first key at or after the call's key, and exits the call. */
  public final boolean seek(Call call, int limit) {
    boolean found;
    try {
      found = read(Codes.SEEK, call.keyAddress(), call.keySize(), limit, false);
    } finally {
      call.exit();
    }
    return behindStart(found, limit);
  }

  /** Moves to the last key at or before the call's key, and exits the call. */
  public final boolean seekForPrevious(Call call, int limit) {
    boolean found;
    try {
      found = read(Codes.SEEK_FOR_PREV, call.keyAddress(), call.keySize(), limit, true);
    } finally {
      call.exit();
    }
    return found && (!isBesideRange || atEnd(limit));
  }

  /** Moves on from the last row that was read, and reads up to {@code limit} rows. */
  public final boolean next(int limit) {
    return step(Codes.NEXT, limit, false);
  }

  public final boolean previous(int limit) {
    return step(Codes.PREV, limit, true);
  }

  /** Moves to the next row of the block; returns false after the last row. */
  public final boolean stepInBlock() {
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
    return ahead ? stay(limit, backward) : read(move, 0, 0, limit, backward);
  }

  /** Reads on from the row after the current one, where the engine's iterator is already. */
  boolean stay(int limit, boolean backward) {
    return read(Codes.STAY, 0, 0, limit, backward);
  }

  /** Moves to the row after the current one by seeking its key. */
  final boolean seekNext(int limit, boolean backward) {
    byte[] last = keyBytes();
    Call call = enter().withKey(last);
    if (!(backward ? seekForPrevious(call, limit) : seek(call, limit))) {
      return false;
    }
    if (!Arrays.equals(last, keyBytes())) {
      return true; // the current row was deleted
    }
    return stepInBlock() || (backward ? previous(limit) : next(limit));
  }

  /** Updates the iterator to the latest state; it has no current row afterwards. */
  public final void refresh() {
    if (ofSnapshot) {
      throw new IllegalStateException(open.name() + " reads at a snapshot: it has nothing newer to see");
    }
    exclusively(BlockIterator::refreshNative);
  }

  private Void refreshNative() {
    endViews();
    block.leaveRow();
    try (Call call = open.path.enter()) {
      RocksDbC.rocksdb_iter_refresh(open.iterator.pointer(), call.error);
      Status.check(call.error, open.name());
    }
    return null;
  }

  private boolean read(int move, long target, long targetSize, int limit, boolean backward) {
    long began = FlightRecords.begin();
    Reentrance.requireRoom();
    begin();
    try {
      endViews();
      block.leaveRow();
      long count = readRows(move, target, targetSize, limit, backward);
      database.requireSound();
      boolean found = count != 0;
      if (!found) {
        Status.check(block.errorCell(), open.name());
      } else {
        ahead = block.isAhead();
        found = enter(count, backward);
      }
      if (began != 0 && FlightRecords.isSlow(began)) {
        NativeFamily family = open.path.family();
        FlightRecords.slow(began, false, family.database().path(), family.name());
      }
      return found;
    } finally {
      open.end();
    }
  }

  /** Moves to the first of the rows that were read; returns false if that row is already beyond the range. */
  private boolean enter(long count, boolean backward) {
    if (ends == null) {
      block.enter(count);
      return true;
    }
    boolean entered =
        backward
            ? block.enterWhile(count, key -> !ends.isExcludedStart(key))
            : block.enterWhile(count, key -> !ends.isBehind(key));
    isBesideRange =
        entered && (backward ? ends.isBehind(block.currentKey()) : ends.isExcludedStart(block.currentKey()));
    return entered;
  }

  /** Reads rows to the block, with exclusive access; returns their number. */
  long readRows(int move, long target, long targetSize, int limit, boolean backward) {
    return block.read(move, target, targetSize, limit, backward);
  }

  /** Whether there is a current row. */
  public final boolean hasRow() {
    requireOpen();
    return block.hasRow();
  }

  public final long keySize() {
    requireRow();
    return block.keySize();
  }

  public final long valueSize() {
    requireRow();
    return block.valueSize();
  }

  public final MemorySegment key() {
    requireRow();
    try {
      return block.key(viewsOfLarge());
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public final MemorySegment value() {
    requireRow();
    try {
      return block.value(viewsOfLarge());
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public final byte[] keyBytes() {
    requireRow();
    if (block.isPointedAt()) {
      return exclusively(rows -> rows.large().largeKeyBytes());
    }
    try {
      return block.keyBytes();
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  public final byte[] valueBytes() {
    requireRow();
    if (block.isPointedAt()) {
      return exclusively(rows -> rows.large().largeValueBytes());
    }
    try {
      return block.valueBytes();
    } catch (IndexOutOfBoundsException e) {
      throw movedByAnother();
    }
  }

  /**
   * Returns the arena of the current row's views if the row is large, otherwise null. While this thread has a view of
   * the row, no other thread can move or destroy the iterator.
   */
  private Arena viewsOfLarge() {
    if (!block.isPointedAt()) {
      return null;
    }
    if (!views.areMine()) {
      exclusively(BlockIterator::beginViews);
    }
    return views.arena;
  }

  /** Returns the columns of the current row, valid until the next move; needs open C++ stubs. */
  public final RowColumns columns() {
    requireRow();
    return exclusively(BlockIterator::columnsOfRow);
  }

  private RowColumns columnsOfRow() {
    Arena arena = views.arena;
    if (!views.areMine()) {
      arena = open.beginViews(views);
      if (block.isPointedAt()) {
        block.keepCopyFor(arena);
      }
      views.begin(arena);
    }
    return new RowColumns(readColumns(arena), arena);
  }

  NativeColumns readColumns(Arena arena) {
    return NativeColumns.ofRow(open.iterator.pointer().address());
  }

  private Arena beginViews() {
    Arena arena = open.beginViews(views);
    large().keepCopyFor(arena);
    views.begin(arena);
    return arena;
  }

  /** Returns the block with the current row; the calling thread has checked that the row is large. */
  private RowBlock large() {
    if (!block.isPointedAt()) {
      throw movedByAnother();
    }
    return block;
  }

  private IllegalStateException movedByAnother() {
    return new IllegalStateException(open.name() + " was moved by another thread: it serves one at a time");
  }

  /** Ends the views of the current row, so that another thread may use the iterator. */
  public final void releaseRow() {
    exclusively(BlockIterator::endViews);
  }

  private Void endViews() {
    open.endViews();
    views.forget();
    return null;
  }

  /** Does work other than a read: no other thread moves or closes the iterator until it is done. */
  private <T> T exclusively(Function<BlockIterator, T> work) {
    StackRoom.require();
    begin();
    try {
      return work.apply(this);
    } finally {
      open.end();
    }
  }

  private void requireRow() {
    requireOpen();
    if (!block.hasRow()) {
      throw new IllegalStateException(open.name() + " is not at a row: seek, and go on only while the answer is true");
    }
  }

  /** Throws if the iterator is closed, or in use by another thread. */
  public final void requireOpen() {
    if (open.isClosed() || user != Thread.currentThread()) {
      changeUser();
    }
  }

  private void changeUser() {
    begin();
    open.end();
  }

  private void begin() {
    Thread caller = Thread.currentThread();
    if (user != caller) {
      block.shareByThreads();
    }
    open.begin();
    if (user != caller) {
      user = caller; // a field access, because a thread with a full stack cannot call a method
    }
  }

  /** Waits for the step in progress, and destroys the iterator; idempotent. */
  public final void close() {
    open.close();
    block.giveBack(user == Thread.currentThread());
  }
}
