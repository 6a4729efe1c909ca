/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

/**
 * A rendezvous of a callback and a close. The callback waits a little for a close to begin, and once it has begun stays
 * a little longer, so that a close which does not wait for it is found out.
 */
final class Meeting {
  private static final int SPINS = 2000;
  private static final long PATIENCE_NANOS = 10_000_000;

  private volatile boolean expected;
  private volatile boolean closing;
  private volatile boolean inside;
  private volatile boolean met;

  /** Begins the race: callbacks before this call, while the database was opened, are no part of it. */
  void expect() {
    expected = true;
  }

  void callBack() {
    if (!expected || met) {
      return;
    }
    inside = true;
    for (int i = 0; i < SPINS && !closing; i++) {
      Thread.onSpinWait();
    }
    if (closing) {
      met = true;
      for (int i = 0; i < SPINS; i++) {
        Thread.onSpinWait();
      }
    }
    inside = false;
  }

  /** Returns when the callback is there, or too long is not. */
  void awaitCallback() {
    long begin = System.nanoTime();
    while (!inside && System.nanoTime() - begin < PATIENCE_NANOS) {
      Thread.onSpinWait();
    }
  }

  void closing() {
    closing = true;
  }

  boolean isInside() {
    return inside;
  }

  /** 1 if the close began before the callback had ended. */
  int met() {
    return met ? 1 : 0;
  }
}
