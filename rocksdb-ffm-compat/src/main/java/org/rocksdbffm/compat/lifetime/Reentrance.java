/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.Logger;

/**
 * Rejects calls that would deadlock, because a callback uses the database that called it with locks held and waits for
 * it. Comparators, loggers and trace writers must not use their database, on any thread. Event listeners must not if a
 * method of the program triggered the event; the engine's background threads hold no lock when they call a listener, so
 * there a listener may do anything except closing the database. Compaction filters and transaction notifiers are called
 * without locks, and are not restricted.
 */
public final class Reentrance {
  /** The number of running restricted callbacks from JNI's function table, on all threads. */
  private static final AtomicInteger RUNNING = new AtomicInteger();

  private static final ThreadLocal<Object> HERE = new ThreadLocal<>();

  private Reentrance() {}

  public static boolean isRestricted(Object callback) {
    return callback instanceof AbstractEventListener
        || callback instanceof Logger
        || callback instanceof AbstractTraceWriter;
  }

  /** Enters a restricted callback on the current thread. Returns the enclosing callback, or null. */
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

  /** Throws if the current thread runs a callback that must not use the object. */
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

  /** Throws if the current thread runs a callback of the database that is being closed. */
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
