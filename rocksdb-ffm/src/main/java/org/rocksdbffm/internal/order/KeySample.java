/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.rocksdbffm.internal.callback.CallbackFrame;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * A sample of the keys that a comparator has seen, in its order, against which other keys are checked. The smallest and
 * the largest stay, because a wrong order shows first between distant keys; others are replaced. Thread-safe.
 */
final class KeySample {
  /** The limit for samples that each thread has, or that many keys are copied to. */
  static final long LONG = 1024;

  private static final long LEAST_ROOM = 64;
  private static final long LONGEST_WAIT_MILLIS = 10;

  private final int most;
  private final long longest;
  private final MemorySegment[] keys; // the last element is the key to insert
  private final long[] sizes;
  private final ReentrantLock lock = new ReentrantLock();
  private int count;
  private int leaving = 1;

  /**
   * Creates an empty sample.
   *
   * @param most the maximum number of keys, at least two
   * @param longest longer keys are ignored
   */
  KeySample(int most, long longest) {
    this.most = most;
    this.longest = longest;
    keys = new MemorySegment[most + 1];
    sizes = new long[most + 1];
  }

  /** Inserts a key, unless the lock is taken; throws if the comparator contradicts itself. */
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

  /** Inserts a key, waiting for the lock; throws if the comparator contradicts itself. */
  void require(CallbackFrame frame, CheckedComparator order, MemorySegment key, long size) {
    if (size <= longest && !lock.isHeldByCurrentThread()) {
      acquire();
      try {
        MemorySegment.copy(key, 0, room(size), 0, size);
        join(frame, order, size);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits for the lock, and requests it again from time to time: the lock may be free, but assigned to a virtual thread
   * that no carrier runs, because all carriers wait in the engine, and the engine waits for this thread.
   */
  private void acquire() {
    boolean interrupted = false;
    for (boolean acquired = lock.tryLock(); !acquired; ) {
      try {
        acquired = lock.tryLock(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
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
      // Including the new key, which may be the one to remove.
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
