/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.rocksdbffm.internal.lifetime.Use;

/**
 * Exclusive access to an object: refuses a second thread instead of blocking it. Refuses every thread after the object
 * has ended.
 */
public class ExclusiveUse {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int ENDED = 2;
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

  // An int instead of a {@code Use}, which would add 24 bytes to each batch and transaction.
  private volatile int state;

  /** Creates the exclusive use of an object; {@code what} is the object's name in messages. */
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

  /** Ends an access, unless the object has ended. */
  public final void end() {
    if (state == TAKEN) {
      STATE.setRelease(this, FREE);
    }
  }

  /** Runs work with exclusive access. */
  public final void run(Runnable work) {
    begin();
    try {
      work.run();
    } finally {
      end();
    }
  }

  /** Runs work with exclusive access, and returns its result. */
  public final <T> T call(Supplier<T> work) {
    begin();
    try {
      return work.get();
    } finally {
      end();
    }
  }

  /** Ends the object within this thread's access; {@code end} says in messages how it ended. */
  public final void endForGood(String end) {
    this.end = end;
    state = ENDED;
  }

  /** Ends the object if it is not in use; returns whether this call ended it. */
  public final boolean tryEnd(String end) {
    if (!STATE.compareAndSet(this, FREE, TAKEN)) {
      return false;
    }
    endForGood(end);
    return true;
  }

  /** Waits until the object is not in use, and ends it; returns false if it has ended before. */
  public final boolean awaitEnd(String end) {
    for (int waits = 1; !tryEnd(end); waits++) {
      if (state == ENDED) {
        return false;
      }
      Use.pause(waits);
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
