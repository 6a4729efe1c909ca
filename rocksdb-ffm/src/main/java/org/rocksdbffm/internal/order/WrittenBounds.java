/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.callback.CallbackFrame;

/**
 * The first and the last of the keys that were written, which become the ends of a file before anyone can look at it: so
 * each key is held against both while it can still be refused. Thread-safe.
 */
final class WrittenBounds {
  private static final long LONGEST = 1024;

  private final CheckedComparator order;
  private final MemorySegment memory = Arena.ofAuto().allocate(3 * LONGEST);
  private long first = memory.address();
  private long last = first + LONGEST;
  private long fresh = last + LONGEST;
  private long firstSize = -1;
  private long lastSize;

  WrittenBounds(CheckedComparator order) {
    this.order = order;
  }

  /** Holds a key that is not very long against them; throws if it comes before the first and after the last. */
  synchronized void hear(CallbackFrame frame, MemorySegment key, long size) {
    if (size > LONGEST) {
      return;
    }
    MemorySegment.copy(key, 0, memory, fresh - memory.address(), size);
    if (firstSize < 0) {
      MemorySegment.copy(key, 0, memory, last - memory.address(), size);
      lastSize = size;
      becomeFirst(size);
      return;
    }
    int toFirst = order.ask(frame, fresh, size, first, firstSize);
    int toLast = order.ask(frame, fresh, size, last, lastSize);
    if (toFirst < 0 && toLast > 0) {
      throw order.circle(fresh, size, first, firstSize, last, lastSize);
    }
    if (toFirst < 0) {
      becomeFirst(size);
    } else if (toLast > 0) {
      becomeLast(size);
    }
  }

  private void becomeFirst(long size) {
    long old = first;
    first = fresh;
    firstSize = size;
    fresh = old;
  }

  private void becomeLast(long size) {
    long old = last;
    last = fresh;
    lastSize = size;
    fresh = old;
  }
}
