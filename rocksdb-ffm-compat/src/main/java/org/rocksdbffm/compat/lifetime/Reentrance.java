/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.Logger;

/**
 * Refuses calls that would wait for themselves: a callback uses the very database that has called it and waits for it,
 * with its locks held. A comparator, a logger and a trace writer must not use the database that they serve, whichever
 * thread they are called on. A listener must not where a method of the program's has it called; the engine's own
 * threads hold nothing while they call it, and there it may do all but close the database. Filters and notifiers are
 * called with no lock held, and are not restricted.
 */
public final class Reentrance {
  /** How many callbacks run through JNI's table, on all threads, that are restricted. */
  private static final AtomicInteger RUNNING = new AtomicInteger();

  private static final ThreadLocal<Object> HERE = new ThreadLocal<>();

  private Reentrance() {}

  public static boolean isRestricted(Object callback) {
    return callback instanceof AbstractEventListener
        || callback instanceof Logger
        || callback instanceof AbstractTraceWriter;
  }

  /** This thread begins to run a callback that is restricted; returns the one that it runs already, or null. */
  public static Object begin(Object callback) {
    Object outer = HERE.get();
    HERE.set(callback);
    RUNNING.incrementAndGet();
    return outer;
  }

  public static void end(Object outer) {
    RUNNING.decrementAndGet();
    if (outer == null) {
      HERE.remove();
    } else {
      HERE.set(outer);
    }
  }

  /** Throws if this thread runs a callback that must not use the object. */
  static void check(Guard used) {
    Object callback = runningHere();
    if (callback == null) {
      return;
    }
    Guard database = used.database();
    if (database != null && mustNotUse(callback, database)) {
      throw refusal(used, callback);
    }
  }

  /** Throws if this thread runs a callback of the database that is to be closed. */
  static void checkClose(Guard closed) {
    Object callback = runningHere();
    if (callback != null && (closed.keeps(UpstreamFields.guard(callback)) || mustNotUse(callback, closed))) {
      throw refusal(closed, callback);
    }
  }

  private static Object runningHere() {
    Object comparator = Comparators.runningHere();
    return comparator != null || RUNNING.get() == 0 ? comparator : HERE.get();
  }

  private static boolean mustNotUse(Object callback, Guard database) {
    return !(callback instanceof AbstractEventListener) && database.keeps(UpstreamFields.guard(callback))
        || database.isInUseByThisThread();
  }

  private static IllegalStateException refusal(Guard used, Object callback) {
    return new IllegalStateException(
        used.name()
            + " cannot be used by the "
            + Thrown.name(callback)
            + ", which its database calls and waits for");
  }
}
