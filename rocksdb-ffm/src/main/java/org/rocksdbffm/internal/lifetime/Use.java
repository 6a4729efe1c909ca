/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.lifetime;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/** The use of an object by one thread at a time, until the object has ended. Thread-safe. */
public final class Use {
  private static final AtomicLongFieldUpdater<Use> STATE = AtomicLongFieldUpdater.newUpdater(Use.class, "state");
  private static final int SPINS_BEFORE_PARKING = 200;
  private static final long PARKED_NANOS = 20_000;

  private static final long FREE = 0;
  private static final long ANY_THREAD = 1;
  private static final long ENDING = Long.MIN_VALUE;
  private static final long ENDED = ENDING;

  // The ID of the thread that uses the object; 0 for none. The sign bit refuses further uses: while a thread waits for
  // the user in order to end the object, and, with no user, after the end. A long instead of a Thread, because storing a
  // reference costs a GC write barrier.
  private volatile long state;

  /** Starts a use without recording the thread; returns false if the object is in use or has ended. */
  public boolean tryBegin() {
    return tryBegin(ANY_THREAD);
  }

  /** Starts a use; returns false if the object is in use or has ended. */
  public boolean tryBegin(long thread) {
    return STATE.compareAndSet(this, FREE, thread);
  }

  /** Waits for the current use to end, and starts another; returns false if the object has ended, or is about to. */
  public boolean awaitBegin(long thread) {
    for (int waits = 1; !tryBegin(thread); waits++) {
      if (isEnding()) {
        return false;
      }
      pause(waits);
    }
    return true;
  }

  /**
   * Ends the current thread's use; does nothing if that has ended the object. A plain store, which may erase the mark
   * of a waiting thread; the waiting thread sets the mark again.
   */
  public void end() {
    if (state != ENDED) {
      STATE.lazySet(this, FREE);
    }
  }

  /** Ends the object within the current thread's use. */
  public void endObject() {
    state = ENDED;
  }

  /** Refuses further uses, waits for the current one, and ends the object; returns false if it has ended before. */
  public boolean awaitEnd() {
    for (int waits = 1; !STATE.compareAndSet(this, FREE, ENDED); waits++) {
      long now = state;
      if (now == ENDED) {
        return false;
      }
      if (now > FREE) {
        STATE.compareAndSet(this, now, now | ENDING);
      }
      pause(waits);
    }
    return true;
  }

  /** Whether the object has ended, or a thread waits in order to end it. */
  public boolean isEnding() {
    return state < FREE;
  }

  public boolean hasEnded() {
    return state == ENDED;
  }

  public boolean isInUse() {
    return (state & ~ENDING) != FREE;
  }

  /** Whether the thread uses the object, and no thread waits in order to end it. */
  public boolean isBy(long thread) {
    return state == thread;
  }

  /** Whether a thread that has waited this often parks from now on. */
  public static boolean isLong(int waits) {
    return waits >= SPINS_BEFORE_PARKING;
  }

  /** Waits shortly, for a condition that a thread checks repeatedly; {@code waits} counts the checks. */
  public static void pause(int waits) {
    if (!isLong(waits)) {
      Thread.onSpinWait();
    } else {
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
    }
  }
}
