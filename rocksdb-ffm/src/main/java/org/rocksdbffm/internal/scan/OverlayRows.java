/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.read.NativeColumns;
import org.rocksdbffm.internal.transaction.NativeOverlay;

/** The rows of an iterator that includes the writes of a transaction or an indexed batch. */
final class OverlayRows extends BlockIterator {
  private final NativeOverlay overlay;
  private int changesSeen; // the number of the overlay's changes when the rows were read

  OverlayRows(OpenIterator open, boolean ofSnapshot, RangeEnds ends, RowBlock.Room room, NativeOverlay overlay) {
    super(open, ofSnapshot, ends, room);
    this.overlay = overlay;
    block.packRowsUpTo(Integer.MAX_VALUE); // the engine's row stays valid until the overlay is written again
  }

  /** Does nothing: all rows that fit are copied to the block. */
  @Override
  public void packRowsUpTo(int size) {
    requireOpen();
  }

  /** Seeks the next row if the overlay was written: the write may have moved or deleted the engine's current row. */
  @Override
  boolean stay(int limit, boolean backward) {
    return overlay.changes() == changesSeen ? super.stay(limit, backward) : seekNext(limit, backward);
  }

  /** Copies the columns, because a later write may move them. */
  @Override
  NativeColumns readColumns(Arena arena) {
    overlay.begin();
    try {
      if (overlay.changes() != changesSeen) {
        throw new IllegalStateException(
            open.name() + ": its transaction or batch was written since the last move; move it, then read the entity");
      }
      return super.readColumns(arena).copyTo(arena);
    } finally {
      overlay.end();
    }
  }

  @Override
  long readRows(int move, long target, long targetSize, int limit, boolean backward) {
    StackRoom.require();
    overlay.begin();
    try {
      changesSeen = overlay.changes();
      long count = super.readRows(move, target, targetSize, limit, backward);
      if (count != 0 && block.isLarge() && open.iterator.isWritten(overlay, block.largeKey())) {
        block.copyLarge();
      }
      return count;
    } finally {
      overlay.end();
    }
  }
}
