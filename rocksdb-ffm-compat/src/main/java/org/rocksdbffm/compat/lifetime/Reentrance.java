/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import org.rocksdb.AbstractEventListener;
import org.rocksdbffm.compat.callback.RunningCallbacks;
import org.rocksdbffm.compat.callback.Thrown;

/**
 * Rejects calls that would deadlock, because a callback uses the database that called it with locks held and waits for
 * it. Comparators, loggers and trace writers must not use their database, on any thread. Event listeners must not if a
 * method of the program triggered the event; the engine's background threads hold no lock when they call a listener, so
 * there a listener may do anything except closing the database. Compaction filters and transaction notifiers are called
 * without locks, and are not restricted.
 */
final class Reentrance {
  private Reentrance() {}

  /** Throws if the current thread runs a callback that must not use the object. */
  static void check(Guard used) {
    Object callback = RunningCallbacks.current();
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
    Object callback = RunningCallbacks.current();
    if (callback != null && (closed.keeps(UpstreamFields.guard(callback)) || mustNotUse(callback, closed))) {
      throw refusal(closed, callback);
    }
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
