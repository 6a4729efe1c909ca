/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.concurrent.atomic.AtomicLong;
import org.rocksdbffm.internal.lifetime.Use;

/**
 * The identity of a native object that may be closed while other threads use it, with its name for messages and its
 * closed state. Thread-safe.
 *
 * <p>A call announces the handle's id in its {@link Call} before it checks whether the handle is closed; {@link #close}
 * marks the handle closed before it searches for calls. So either the call sees the mark, or the close sees the call
 * and waits for it.
 */
public final class Handle {
  private static final AtomicLong LAST_ID = new AtomicLong();
  private static final long LOST_NANOS = 1_000_000_000;

  private static final class PausedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private PausedException(String name) {
      super(name + " is being changed by another thread: try again");
    }
  }

  final long id = LAST_ID.incrementAndGet();
  private final String name;
  private final String end;
  private volatile boolean closed;

  // Whether calls are refused: closed, stopped or paused.
  private volatile boolean refusing;
  private volatile boolean wasPaused;
  private volatile String reason;
  private volatile Throwable cause;

  /** {@code name}: what the object is and where it belongs, for messages. */
  public Handle(String name) {
    this(name, "is closed");
  }

  /** {@code end}: what messages say once the handle is closed. */
  public Handle(String name, String end) {
    this.name = name;
    this.end = end;
  }

  public String name() {
    return name;
  }

  /** Whether {@code handleId} is the handle's id. */
  public boolean is(long handleId) {
    return id == handleId;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Whether the calling thread is using the handle, so that its close would wait for itself. */
  public boolean isUsedByThisThread() {
    return CallTable.isUsedByThisThread(id);
  }

  /** Whether any thread is using the handle. */
  public boolean isInUse() {
    return CallTable.anyUses(id);
  }

  /** Whether calls are refused: the handle is closed, stopped or paused. */
  public boolean isRefusing() {
    return refusing;
  }

  /** Refuses new calls with a reason, without closing. */
  public void stop(String reason, Throwable cause) {
    this.cause = cause;
    this.reason = reason;
    refusing = true;
  }

  public boolean wasStopped() {
    return reason != null;
  }

  /** Throws if the handle was stopped, even if the calling thread's own last engine call stopped it. */
  public void requireSound() {
    if (refusing) {
      IllegalStateException stopped = stoppedException();
      if (stopped != null) {
        throw stopped;
      }
    }
  }

  /** Returns the exception for a stopped handle; null if it was not stopped, or is closed. */
  IllegalStateException stoppedException() {
    return reason == null || closed ? null : new IllegalStateException(name + " " + reason, cause);
  }

  public IllegalStateException closedException() {
    IllegalStateException stopped = stoppedException();
    return stopped != null
        ? stopped
        : closed || !wasPaused ? new IllegalStateException(name + " " + end) : new PausedException(name);
  }

  /** Refuses calls until {@link #resume}, and waits for calls in flight; returns false if they do not end in time. */
  public boolean pause(long nanos) {
    long end = System.nanoTime() + nanos;
    wasPaused = true;
    refusing = true;
    for (int waits = 1; CallTable.anyUses(id); waits++) {
      if (System.nanoTime() >= end) {
        return false;
      }
      Use.pause(waits);
    }
    return true;
  }

  /** Whether a call was refused because of a pause, which is temporary. */
  public static boolean isPaused(IllegalStateException refusal) {
    return refusal instanceof PausedException;
  }

  /** Ends a pause; the handle must not have been closed since. */
  public void resume() {
    refusing = false;
  }

  /** Refuses new calls, then waits for calls in flight. */
  public void close() {
    close(() -> {});
  }

  /** Closes the handle, and runs an action repeatedly while waiting for calls that may not end without it. */
  public void close(Runnable beforeWaiting) {
    closed = true;
    refusing = true;
    long started = System.nanoTime();
    for (int waits = 1; CallTable.anyUses(id); waits++) {
      Use.pause(waits);
      if (!Use.isLong(waits)) {
        continue;
      }
      beforeWaiting.run();
      if (System.nanoTime() - started > LOST_NANOS) {
        if (!CallTable.isAnyThreadIn(id)) {
          return;
        }
        started = System.nanoTime();
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
