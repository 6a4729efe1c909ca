/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The guard of an object that one thread at a time may use: it refuses the others, and does not let them wait. Once the
 * object is at its end, it refuses all.
 */
public class ExclusiveUse {
  static final int FREE = 0;
  static final int TAKEN = 1;
  private static final int ENDED = 2;
  private static final long PARKED_NANOS = 20_000;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(ExclusiveUse.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String what;
  private volatile String end = "is closed";


  // A call that finds its stack full ends its use by this field.
  volatile int state;

  /** Takes the name of the object that is used in turns, for messages. */
  public ExclusiveUse(String what) {
    this.what = what;
  }

  public final void begin() {
    if (!STATE.compareAndSet(this, FREE, TAKEN)) {
      throw refusal();
    }
  }

  private IllegalStateException refusal() {
    return new IllegalStateException(
        state == ENDED
            ? what + " " + end
            : what + " is in use already: it serves one thread, and one call, at a time");
  }

  /** Ends a use, unless that was the object's last. */
  public final void end() {
    if (state == TAKEN) {
      STATE.setRelease(this, FREE);
    }
  }

  /** Does what takes long enough that a lambda does not matter. */
  public final void run(Runnable work) {
    begin();
    try {
      work.run();
    } finally {
      end();
    }
  }

  /** As {@link #run}, with a result. */
  public final <T> T call(Supplier<T> work) {
    begin();
    try {
      return work.get();
    } finally {
      end();
    }
  }

  /** Ends a use of this thread's, and with it the object, of which the end says what has become. */
  public final void endForGood(String end) {
    this.end = end;
    state = ENDED;
  }

  /** Ends the object if nobody uses it; true if this did so. */
  public final boolean tryEnd(String end) {
    if (!STATE.compareAndSet(this, FREE, TAKEN)) {
      return false;
    }
    endForGood(end);
    return true;
  }

  /** Waits until nobody uses the object, and ends it; false if it has ended already. */
  public final boolean awaitEnd(String end) {
    while (!tryEnd(end)) {
      if (state == ENDED) {
        return false;
      }
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
    }
    return true;
  }

  public final boolean hasEnded() {
    return state == ENDED;
  }

  public final boolean hasEndedAs(String end) {
    return state == ENDED && this.end.equals(end);
  }
}
