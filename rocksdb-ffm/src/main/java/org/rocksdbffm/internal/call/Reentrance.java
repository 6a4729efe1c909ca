/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import org.rocksdbffm.internal.exit.ProcessEnd;
import org.rocksdbffm.internal.foreign.StackRoom;

/**
 * Whether a call may come from within a callback of the engine, which is possible once a Java callback was registered.
 * A {@link Check} tests whether the calling thread is in a callback. Thread-safe.
 */
public final class Reentrance {
  private static final Reentrance OF_LOADER = new Reentrance();

  private volatile Check check;

  // Read by every call and written once; without ordering, because a callback is registered before the engine calls it.
  private boolean possible;

  /** Checks the callbacks of the calling thread; implemented next to them. */
  public interface Check {
    /** Throws if the calling thread runs a callback of the object with this handle. */
    void requireOutside(Handle handle);

    /** Returns and clears what a callback on this thread threw that no operation has reported yet; usually null. */
    Throwable takeThrown();
  }

  private Reentrance() {}

  /** Registers the check, because the engine now has a callback. */
  public static void becomesPossible(Check by) {
    OF_LOADER.check = by;
    OF_LOADER.possible = true;
  }

  /** Throws if the stack has no room to end a use that the caller starts now, or for a callback within the use. */
  public static void requireRoom() {
    if (isPossible()) {
      StackRoom.requireForReentrance();
    } else {
      StackRoom.require();
    }
  }

  public static boolean isPossible() {
    return OF_LOADER.possible;
  }

  /** Throws if a call would wait for itself: from within a callback to the database that runs it. */
  public static void requireOutside(Handle handle) {
    Check how = OF_LOADER.check;
    if (how != null) {
      how.requireOutside(handle);
    }
  }

  /** Runs the close of an object; throws if a callback of the object runs it, or prevents its end. */
  public static void close(Handle handle, Runnable closeOnce) {
    if (isPossible()) {
      requireOutside(handle);
      ProcessEnd.close(handle.name(), CallTable::threads, closeOnce);
    } else {
      closeOnce.run();
    }
  }

  static Throwable takeThrown() {
    Check how = isPossible() ? OF_LOADER.check : null;
    return how == null ? null : how.takeThrown();
  }
}
