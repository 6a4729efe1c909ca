/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.callback;

import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTraceWriter;
import org.rocksdb.Logger;

/** The restricted callbacks that run now, per thread: their use of a database may deadlock. */
public final class RunningCallbacks {
  /** The number of running restricted callbacks from JNI's function table, on all threads. */
  private static final AtomicInteger RUNNING = new AtomicInteger();

  private static final ThreadLocal<Object> HERE = new ThreadLocal<>();

  private RunningCallbacks() {}

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

  /** Returns the restricted callback or the comparator that the current thread runs; null if none. */
  public static Object current() {
    Object comparator = Comparators.runningHere();
    return comparator != null || RUNNING.get() == 0 ? comparator : HERE.get();
  }
}
