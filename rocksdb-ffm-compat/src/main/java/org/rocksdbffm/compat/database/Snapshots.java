/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import org.rocksdb.RocksDB;
import org.rocksdb.Snapshot;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.membership.Membership;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Wrappers;
import org.rocksdbffm.internal.call.Call;

/** Creates and releases snapshots. */
public final class Snapshots {
  private Snapshots() {}

  /** Returns a snapshot's pointer; 0 if the database supports none. */
  public static long take(long db) {
    Call call = Scratch.enter();
    try {
      long wrapper = rocksdb_create_snapshot(Scratch.wrap(call, 0, db));
      return wrapper == 0 ? 0 : Wrappers.keep(wrapper);
    } finally {
      call.exit();
    }
  }

  /** Waits for reads of the snapshot, and releases it. Closes the snapshot, so that later uses throw. */
  public static void release(RocksDB db, Snapshot snapshot) {
    if (snapshot == null) {
      return;
    }
    Object used = Guard.use(UpstreamFields.guard(db), null);
    try {
      Guard guard = UpstreamFields.guard(snapshot);
      Membership.together(guard, UpstreamFields.guard(db).database());
      if (!guard.close()) {
        throw guard.closedException();
      }
      release(db.getNativeHandle(), snapshot.getNativeHandle());
    } finally {
      Guard.leave(used);
    }
  }

  public static void release(long db, long snapshot) {
    Call call = Scratch.enter();
    try {
      rocksdb_release_snapshot(Scratch.wrap(call, 0, db), Wrappers.take(snapshot));
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_create_snapshot(long db);

  private static native void rocksdb_release_snapshot(long db, long snapshot);
}
