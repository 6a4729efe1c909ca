/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.ref.WeakReference;

/**
 * Tells when something native is forgotten that is reached in many ways: whatever lets a user reach it holds
 * the anchor's token, and nothing else does. Thread-safe.
 */
final class Anchor {
  private final Forgettable standsFor;
  private WeakReference<Object> token = new WeakReference<>(null);
  private Watch watch; // over the token; null before the first and after the end
  private boolean ended;

  Anchor(Forgettable standsFor) {
    this.standsFor = standsFor;
  }

  /** The token; who asks holds it already, in some other way, but for the first time. */
  synchronized Object token() {
    Object held = token.get();
    if (held == null) {
      held = new Object();
      token = new WeakReference<>(held);
      if (!ended) {
        watch = Watch.over(held, standsFor);
      }
    }
    return held;
  }

  /** What it stands for was closed: so the collector is not waited for. */
  void end() {
    Watch over;
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
