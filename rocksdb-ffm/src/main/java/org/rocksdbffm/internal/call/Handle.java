/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The identity of a native object that may be closed while other threads use it, with its name in messages, and whether
 * it was closed. Thread-safe.
 *
 * <p>A call publishes the handle's id in its {@link Call} before it looks whether the handle was
 * closed; {@link #close} marks the handle before it looks for calls. So either the call sees the mark,
 * or the closer sees the call and waits for it.
 */
public final class Handle {
  private static final AtomicLong LAST_ID = new AtomicLong();
  private static final int SPINS_BEFORE_PARKING = 200;
  private static final long PARKED_NANOS = 50_000;
  private static final long LOST_NANOS = 1_000_000_000;

  private static final class PausedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private PausedException(String name) {
      super(name + " is being changed");
    }
  }

  final long id = LAST_ID.incrementAndGet();
  private final String name;
  private final String end;
  private volatile boolean closed;

  // Refuses calls: closed, or stopped for a reason.
  private volatile boolean refusing;
  private volatile boolean wasPaused;
  private volatile String reason;
  private volatile Throwable cause;

  /** The name says what it is and where it lives, as a message should. */
  public Handle(String name) {
    this(name, "is closed");
  }

  /** The end says what has become of it once it is closed. */
  public Handle(String name, String end) {
    this.name = name;
    this.end = end;
  }

  public String name() {
    return name;
  }

  /** Whether a call that announces this id uses it. */
  public boolean is(long its) {
    return id == its;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Whether the thread that asks is using it, a close by which would wait for itself. */
  public boolean isUsedByThisThread() {
    return CallTable.isUsedByThisThread(id);
  }

  /** Whether any thread is using it. */
  public boolean isInUse() {
    return CallTable.anyUses(id);
  }

  /** Whether calls are refused: it is closed, or was stopped. */
  public boolean isRefusing() {
    return refusing;
  }

  /** Refuses new calls for a reason, but is not closed. */
  public void stop(String reason, Throwable cause) {
    this.cause = cause;
    this.reason = reason;
    refusing = true;
  }

  public boolean wasStopped() {
    return reason != null;
  }

  /** Throws if it was stopped, be it by what the thread that asks had the engine do. */
  public void requireSound() {
    if (refusing) {
      IllegalStateException stopped = stoppedException();
      if (stopped != null) {
        throw stopped;
      }
    }
  }

  /** Why it was stopped; null if it was not, or is closed. */
  IllegalStateException stoppedException() {
    return reason == null || closed ? null : new IllegalStateException(name + " " + reason, cause);
  }

  public IllegalStateException closedException() {
    IllegalStateException stopped = stoppedException();
    return stopped != null
        ? stopped
        : closed || !wasPaused ? new IllegalStateException(name + " " + end) : new PausedException(name);
  }

  /** Refuses calls until {@link #resume}, and waits until those in flight have ended; false if they take too long. */
  public boolean pause(long nanos) {
    long end = System.nanoTime() + nanos;
    wasPaused = true;
    refusing = true;
    for (int waits = 1; CallTable.anyUses(id); waits++) {
      if (waits < SPINS_BEFORE_PARKING) {
        Thread.onSpinWait();
      } else if (System.nanoTime() < end) {
        Thread.yield();
        LockSupport.parkNanos(PARKED_NANOS);
      } else {
        return false;
      }
    }
    return true;
  }

  /** Whether a call was refused because of a pause, which ends. */
  public static boolean isPaused(IllegalStateException refusal) {
    return refusal instanceof PausedException;
  }

  /** Ends a pause; nobody has closed it in the meantime. */
  public void resume() {
    refusing = false;
  }

  /** Refuses new calls, then waits until those in flight have ended. */
  public void close() {
    close(() -> {});
  }

  /** Closes, and runs an action again and again while calls are waited for, which may not end without it. */
  public void close(Runnable beforeWaiting) {
    closed = true;
    refusing = true;
    long begun = System.nanoTime();
    for (int waits = 1; CallTable.anyUses(id); waits++) {
      if (waits < SPINS_BEFORE_PARKING) {
        Thread.onSpinWait();
        continue;
      }
      beforeWaiting.run();
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
      if (System.nanoTime() - begun > LOST_NANOS) {
        if (!CallTable.isAnyThreadIn(id)) {
          return;
        }
        begun = System.nanoTime();
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
