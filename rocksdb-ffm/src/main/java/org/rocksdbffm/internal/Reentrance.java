/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

/**
 * Whether the engine may have called the code that makes a call: possible in a process that has given it code in Java to
 * run. Those who run such code tell; a call knows no more of them. Thread-safe.
 */
public final class Reentrance {
  private static volatile Check check;

  // Looked at by every call; an element of an array, because a write to it has nothing recompiled.
  private static final boolean[] POSSIBLE = new boolean[1];

  /** What those know who run code for the engine. */
  public interface Check {
    /** Throws if the calling thread runs code for the database, or what else it is that has this handle. */
    void requireOutside(Handle handle);

    /** What code that the engine called on this thread threw, and no operation has reported yet; null mostly. */
    Throwable takeThrown();
  }

  private Reentrance() {}

  /** From now on the engine has code to call. */
  public static void becomesPossible(Check by) {
    check = by;
    POSSIBLE[0] = true;
  }

  public static boolean isPossible() {
    return POSSIBLE[0];
  }

  /** Refuses a call that would wait for itself: one to the database that has called the code that makes it. */
  static void requireOutside(Handle handle) {
    Check how = check;
    if (how != null) {
      how.requireOutside(handle);
    }
  }

  static Throwable takeThrown() {
    return isPossible() ? check.takeThrown() : null;
  }
}
