/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds up threads that make objects for the collector to reclaim, while too many of these wait for that. Those in use
 * count too, for nobody can tell: so what is left after a collection is put up with, and twice that from then on.
 * Thread-safe.
 */
final class BackPressure {
  private static final long WAIT_NANOS = 1_000_000;
  // On a busy machine the reclaimer may not run for this long, and what waits for it would pass for being in use.
  private static final int WAITS = 300;

  private final AtomicLong bytes = new AtomicLong();
  private final Object collecting = new Object(); // a monitor, for a lock needs heap where threads meet in it
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

  /** One thread has the collector run; the others wait for that, as nothing else would bring them on. */
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

  /** The bytes that are left when the reclaimer has nothing more to do, or is held up itself. */
  private long left() {
    long before = Long.MAX_VALUE;
    for (int idle = 0; idle < WAITS; ) {
      Reclaimer.reclaimAtLeisure(); // where there is no thread that does
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
