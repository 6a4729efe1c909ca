/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes threads wait that create objects faster than the garbage collector and the reclaimer free them. Objects in use
 * count too, because they cannot be distinguished: so the bytes left after a collection are accepted, and the limit
 * becomes twice that size. Thread-safe.
 */
final class BackPressure {
  private static final long WAIT_NANOS = 1_000_000;
  // On a busy machine the reclaimer may not run for this long, and unreachable objects would count as in use.
  private static final int WAITS = 300;

  private final AtomicLong bytes = new AtomicLong();
  private final Object collecting = new Object(); // a monitor, because a contended lock needs heap
  private final long least;
  private volatile long limit;

  BackPressure(long limit) {
    this.least = limit;
    this.limit = limit;
  }

  void add(long count) {
    if (bytes.addAndGet(count) > limit) {
      relieve();
    }
  }

  void remove(long count) {
    bytes.addAndGet(-count);
  }

  /** One thread runs the garbage collector; the others wait for it, because nothing else frees memory. */
  private void relieve() {
    if (Thread.holdsLock(collecting)) {
      return;
    }
    synchronized (collecting) {
      if (bytes.get() > limit) {
        System.gc();
        limit = Math.max(least, 2 * left());
      }
    }
  }

  /** Returns the bytes that are left when the reclaimer has nothing more to do, or is blocked itself. */
  private long left() {
    long before = Long.MAX_VALUE;
    for (int idle = 0; idle < WAITS; ) {
      Reclaimer.reclaimAtLeisure(); // if there is no reclaimer thread
      long now = bytes.get();
      if (now <= least / 2) {
        return now;
      }
      idle = now < before ? 0 : idle + 1;
      before = now;
      LockSupport.parkNanos(WAIT_NANOS);
    }
    return before;
  }
}
