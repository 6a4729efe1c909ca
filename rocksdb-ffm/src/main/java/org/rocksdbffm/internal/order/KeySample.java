/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * A few keys that a comparator has seen, in its order, with which others have to fit in. The outermost stay, for an order
 * goes wrong first between keys that are far apart; of those in between one leaves for one that joins. Thread-safe.
 */
final class KeySample {
  /** For a sample that every thread has, or that many keys are copied to. */
  static final long LONG = 1024;

  private static final long LEAST_ROOM = 64;

  private final int most;
  private final long longest;
  private final MemorySegment[] keys; // the last one is for a key that wants to join
  private final long[] sizes;
  private final ReentrantLock lock = new ReentrantLock();
  private int count;
  private int leaving = 1;

  /**
   * An empty sample.
   *
   * @param most how many keys it has, at least two
   * @param longest keys of more bytes are passed over
   */
  KeySample(int most, long longest) {
    this.most = most;
    this.longest = longest;
    keys = new MemorySegment[most + 1];
    sizes = new long[most + 1];
  }

  /** Has a key join, unless another thread's does just now; throws if it does not fit in. */
  void offer(CallbackFrame frame, CheckedComparator order, long key, long size) {
    if (size <= longest && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        Memory.copy(key, size, room(size).address());
        join(frame, order, size);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Has a key join, whatever other threads do; throws if it does not fit in. */
  void require(CallbackFrame frame, CheckedComparator order, MemorySegment key, long size) {
    if (size <= longest && !lock.isHeldByCurrentThread()) {
      lock.lock();
      try {
        MemorySegment.copy(key, 0, room(size), 0, size);
        join(frame, order, size);
      } finally {
        lock.unlock();
      }
    }
  }

  void clear() {
    count = 0;
  }

  private MemorySegment room(long size) {
    MemorySegment room = keys[most];
    if (room == null || room.byteSize() < size) {
      room = Arena.ofAuto().allocate(Math.max(LEAST_ROOM, Math.min(2 * size, longest)));
      keys[most] = room;
    }
    return room;
  }

  private void join(CallbackFrame frame, CheckedComparator order, long size) {
    long key = keys[most].address();
    int place = count;
    for (int i = 0; i < count; i++) {
      long other = keys[i].address();
      int answer = order.ask(frame, key, size, other, sizes[i]);
      if (answer == 0) {
        if (Memory.isSame(key, size, other, sizes[i])) {
          return;
        }
        throw order.same(key, size, other, sizes[i]);
      }
      if (answer > 0 && place < i) {
        throw order.circle(key, size, keys[place].address(), sizes[place], other, sizes[i]);
      }
      if (answer < 0 && place == count) {
        place = i;
      }
    }
    insert(place, size);
  }

  private void insert(int place, long size) {
    int gap = count;
    if (count < most) {
      count++;
    } else {
      // Among all of them and the new one, which may be the one that leaves.
      int left = leaving;
      leaving = 1 + leaving % (most - 1);
      if (left == place) {
        return;
      }
      gap = left > place ? left - 1 : left;
      place = left < place ? place - 1 : place;
    }
    MemorySegment joining = keys[most];
    keys[most] = keys[gap];
    int step = gap < place ? 1 : -1;
    for (int i = gap; i != place; i += step) {
      keys[i] = keys[i + step];
      sizes[i] = sizes[i + step];
    }
    keys[place] = joining;
    sizes[place] = size;
  }
}
