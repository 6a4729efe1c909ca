/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksMutableObject;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.CallTable;
import org.rocksdbffm.internal.exit.ProcessEnd;

/**
 * Closes objects in place of upstream's own code: a child while its parent is kept from being closed, or on its
 * parent's behalf.
 */
public final class Closing {
  private Closing() {}

  /** Closes an object; does nothing to one that is borrowed. */
  @CompiledApart
  public static void close(AbstractImmutableNativeReference object) {
    if (UpstreamFields.owning(object).get()) {
      close(object, UpstreamFields.guard(object));
    }
  }

  /** Closes an object that nobody can reach any more. */
  static void closeForgotten(Guard guard) {
    if (!guard.isClosed()) {
      close(null, guard);
    }
  }

  @CompiledApart
  private static void close(Object object, Guard guard) {
    Guard parent = guard.parent();
    if (parent == null) {
      closeOwned(object, guard);
      return;
    }
    Call call;
    try {
      call = parent.enter();
    } catch (IllegalStateException closed) {
      return; // the parent closes it, or did
    }
    try {
      closeUnlessItsOtherParentDoes(object, guard);
      parent.forget(guard);
    } finally {
      call.exit();
    }
  }

  private static void closeUnlessItsOtherParentDoes(Object object, Guard guard) {
    Guard parent = guard.otherParent();
    if (parent == null) {
      closeOwned(object, guard);
      return;
    }
    Call call;
    try {
      call = parent.enter();
    } catch (IllegalStateException closed) {
      return;
    }
    try {
      closeOwned(object, guard);
      parent.forget(guard);
    } finally {
      call.exit();
    }
  }

  /**
   * Closes an object that may be given another pointer later. Its users ask for the pointer under its monitor, so the
   * monitor is not held while they are waited for.
   */
  public static void close(RocksMutableObject object) {
    synchronized (object) {
      if (!UpstreamFields.isOwning(object)) {
        return;
      }
    }
    Guard guard = UpstreamFields.guard(object);
    if (guard.close()) {
      synchronized (object) {
        UpstreamFields.renounce(object);
        guard.dispose(object);
      }
    }
  }

  /** Gives an object another pointer, with which it is open again if it was closed. */
  public static void reopen(RocksMutableObject object, long pointer, boolean owning) {
    synchronized (object) {
      UpstreamFields.reopen(object, pointer, owning);
    }
  }

  /** Waits for what the engine does, except for a callback that ends the process. */
  public static void ofDatabase(String name, Runnable close) {
    CallTable.forgetEndedThreads();
    ProcessEnd.close(name, CallTable::threads, close);
  }

  private static void closeOwned(Object object, Guard guard) {
    if (guard.owning() == null ? guard.close() : Guard.mayDispose(guard.owning(), guard)) {
      guard.dispose(object);
    }
  }

  /** Closes a child on behalf of its parent, which nobody uses any more. */
  static void closeChild(Guard child) {
    closeOwned(null, child);
  }

  /** Gives the object up: whoever else owns the native one destroys it, and it can be used for as long as that. */
  public static void disown(AbstractImmutableNativeReference object) {
    UpstreamFields.owning(object).set(false);
    Guard guard = UpstreamFields.guard(object);
    guard.endWatch();
    guard.freeCursor();
    Guard parent = guard.parent();
    if (parent != null) {
      parent.forget(guard);
      guard.livesIn(parent);
    } else if (object instanceof RocksDB && !guard.isBorrowed()) {
      guard.isOf(null); // a listener's: the same database has an object of its own, which its families are of
    }
  }
}
