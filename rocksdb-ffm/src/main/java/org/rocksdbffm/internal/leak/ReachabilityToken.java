/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.ref.WeakReference;

/**
 * Detects leaks of a native object that users can reach through several objects: these, and nothing else, hold its
 * liveness token. Thread-safe.
 */
public final class ReachabilityToken {
  private final TrackedResource standsFor;
  private WeakReference<Object> token = new WeakReference<>(null);
  private LeakWatch watch; // watches the token; null before the first token and after the end
  private boolean ended;

  public ReachabilityToken(TrackedResource standsFor) {
    this.standsFor = standsFor;
  }

  /** Returns the token; every caller but the first holds it already, through another object. */
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

  /** Ends the watch after a close, without waiting for the garbage collector. */
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
