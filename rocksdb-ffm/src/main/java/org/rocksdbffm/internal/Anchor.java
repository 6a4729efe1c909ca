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

  Anchor(Forgettable standsFor) {
    this.standsFor = standsFor;
  }

  /** The token; who asks holds it already, in some other way, but for the first time. */
  synchronized Object token() {
    Object held = token.get();
    if (held == null) {
      held = new Object();
      token = new WeakReference<>(held);
      Watch.over(held, standsFor);
    }
    return held;
  }
}
