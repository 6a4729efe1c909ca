/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

/**
 * Between calls and callbacks, of which a call must not know more than this: whether the process has ever had a callback,
 * and whether the calling thread runs one of the database that it calls. Thread-safe.
 */
public final class CallbackBarrier {
  private static volatile Check check;

  // Looked at by every call; an element of an array, because a write to it has nothing recompiled.
  private static final boolean[] UP = new boolean[1];

  /** How callbacks are recognized; known to their own package. */
  public interface Check {
    /** Throws if the calling thread runs a callback of what this handle stands for. */
    void requireOutside(Handle handle);
  }

  private CallbackBarrier() {}

  /** From now on there may be callbacks. */
  public static void raise(Check how) {
    check = how;
    UP[0] = true;
  }

  public static boolean isUp() {
    return UP[0];
  }

  /** Refuses a call that would wait for itself: of a callback to the very database that has called it. */
  public static void requireOutside(Handle handle) {
    Check how = check;
    if (how != null) {
      how.requireOutside(handle);
    }
  }
}
