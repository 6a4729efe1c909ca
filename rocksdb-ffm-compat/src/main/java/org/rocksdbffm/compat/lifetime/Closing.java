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
 * Closes objects, instead of rocksdbjni's code. A child is closed within a use of its parent, so that the parent stays
 * open until then. If the parent was closed first, it has closed the child.
 */
public final class Closing {
  private Closing() {}

  /** Closes an object that owns its native object; does nothing otherwise. */
  @CompiledApart
  public static void close(AbstractImmutableNativeReference object) {
    if (UpstreamFields.owning(object).get()) {
      close(object, UpstreamFields.guard(object));
    }
  }

  /** Closes an unreachable object. */
  static void closeForgotten(Guard guard) {
    if (!guard.isClosed()) {
      close(null, guard);
    }
  }

  @CompiledApart
  private static void close(Object object, Guard guard) {
    Guard parent = guard.parent();
    if (parent == null) {
      guard.closeOwned(object);
      return;
    }
    Call call;
    try {
      call = enter(parent);
    } catch (IllegalStateException closed) {
      return; // the parent closes the child, or has closed it
    }
    try {
      closeUnlessItsOtherParentDoes(object, guard);
      guard.forget(parent);
    } finally {
      call.exit();
    }
  }

  @CompiledApart
  private static Call enter(Guard parent) {
    return parent.enter();
  }

  private static void closeUnlessItsOtherParentDoes(Object object, Guard guard) {
    Guard parent = guard.otherParent();
    if (parent == null) {
      guard.closeOwned(object);
      return;
    }
    Call call;
    try {
      call = enter(parent);
    } catch (IllegalStateException closed) {
      return;
    }
    try {
      guard.closeOwned(object);
      guard.forget(parent);
    } finally {
      call.exit();
    }
  }

  /**
   * Closes an object that may get another pointer later. Other threads read the pointer under the object's monitor, so
   * this method does not hold the monitor while it waits for these threads.
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

  /** Gives an object another pointer. A closed object is open again. */
  public static void reopen(RocksMutableObject object, long pointer, boolean owning) {
    synchronized (object) {
      UpstreamFields.reopen(object, pointer, owning);
    }
  }

  /**
   * Closes a database. Closes a database, which waits for the engine's background work, except for a callback that ends
   * the process.
   */
  public static void ofDatabase(String name, Runnable close) {
    CallTable.forgetEndedThreads();
    ProcessEnd.close(name, CallTable::threads, close);
  }

  /**
   * Transfers ownership of the native object. The object stays usable until the new owner destroys the native object.
   */
  public static void disown(AbstractImmutableNativeReference object) {
    UpstreamFields.owning(object).set(false);
    Guard guard = UpstreamFields.guard(object);
    guard.endWatch();
    guard.freeCursor();
    Guard parent = guard.parent();
    if (parent != null) {
      guard.forget(parent);
      guard.livesIn(parent);
    } else if (object instanceof RocksDB && !guard.isBorrowed()) {
      guard.isOf(null); // made for a listener: the program's object for the same database has the column families
    }
  }
}
