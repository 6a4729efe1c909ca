/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.ref.WeakReference;

/**
 * Notices that a native object is forgotten that users reach in many ways: whatever lets a user reach it holds its
 * token, and nothing else does. Thread-safe.
 */
public final class ReachabilityToken {
  private final TrackedResource standsFor;
  private WeakReference<Object> token = new WeakReference<>(null);
  private LeakWatch watch; // over the token; null before the first and after the end
  private boolean ended;

  public ReachabilityToken(TrackedResource standsFor) {
    this.standsFor = standsFor;
  }

  /** The token; every caller but the first holds it already, in some other way. */
  public synchronized Object token() {
    Object held = token.get();
    if (held == null) {
      held = new Object();
      token = new WeakReference<>(held);
      if (!ended) {
        watch = LeakWatch.over(held, standsFor);
      }
    }
    return held;
  }

  /** Ends the watch when the object was closed, so that the collector is not waited for. */
  public void end() {
    LeakWatch over;
    synchronized (this) {
      ended = true;
      over = watch;
      watch = null;
    }
    if (over != null) {
      over.end();
    }
  }
}
