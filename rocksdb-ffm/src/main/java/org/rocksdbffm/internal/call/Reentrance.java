/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

/**
 * Whether the engine may have called the code that makes a call: possible in a process that has given it code in Java to
 * run. A {@link Check} tells whether it has; a call knows no more of such code. Thread-safe.
 */
public final class Reentrance {
  private static final Reentrance OF_LOADER = new Reentrance();

  private volatile Check check;

  // Looked at by every call, and written once: without order, because code is given to the engine before it is called.
  private boolean possible;

  /** A look at the code that the calling thread runs for the engine; implemented beside that code. */
  public interface Check {
    /** Throws if the calling thread runs code for the database, or the other object, that has this handle. */
    void requireOutside(Handle handle);

    /** Takes what such code on this thread threw and no operation has reported yet; null mostly. */
    Throwable takeThrown();
  }

  private Reentrance() {}

  /** From now on the engine has code to call. */
  public static void becomesPossible(Check by) {
    OF_LOADER.check = by;
    OF_LOADER.possible = true;
  }

  public static boolean isPossible() {
    return OF_LOADER.possible;
  }

  /** Refuses a call that would wait for itself: one to the database that has called the code that makes it. */
  public static void requireOutside(Handle handle) {
    Check how = OF_LOADER.check;
    if (how != null) {
      how.requireOutside(handle);
    }
  }

  static Throwable takeThrown() {
    Check how = isPossible() ? OF_LOADER.check : null;
    return how == null ? null : how.takeThrown();
  }
}
