/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

/**
 * A rendezvous of a callback and a close. The callback waits briefly for a close to start, and then runs a little
 * longer, so that a close that does not wait for it is detected.
 */
final class Meeting {
  private static final int SPINS = 2000;
  private static final long PATIENCE_NANOS = 10_000_000;

  private volatile boolean expected;
  private volatile boolean closing;
  private volatile boolean inside;
  private volatile boolean met;

  /** Starts the race; earlier callbacks, during the opening, are ignored. */
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

  /** Waits until the callback runs, or a timeout. */
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

  /** Returns 1 if the close started before the callback ended. */
  int met() {
    return met ? 1 : 0;
  }
}
