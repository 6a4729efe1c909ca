/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Reads the name and the number of a column family from its handle, and finds a database's default one. */
public final class FamilyHandles {
  private static final int PLACES = 64;

  /** The default families that were asked for last, of which a look takes less than a call of the engine. */
  private static final AtomicReferenceArray<Default> DEFAULTS = new AtomicReferenceArray<>(PLACES);

  private record Default(long db, long family) {}

  private FamilyHandles() {}

  public static byte[] name(long family) {
    Call call = Scratch.enter();
    try {
      long name = rocksdb_column_family_handle_get_name(Scratch.wrap(call, 0, family), call.sizeCell.address());
      try {
        return Memory.toArray(name, call.sizeInCell());
      } finally {
        rocksdb_free(name);
      }
    } finally {
      call.exit();
    }
  }

  /** Its number in its database. */
  public static int number(long family) {
    Call call = Scratch.enter();
    try {
      return rocksdb_column_family_handle_get_id(Scratch.wrap(call, 0, family));
    } finally {
      call.exit();
    }
  }

  /** The default family of an open database. */
  public static long ofDefault(long db) {
    Default known = DEFAULTS.get(place(db));
    if (known == null || known.db != db) {
      known = new Default(db, Java_org_rocksdb_RocksDB_getDefaultColumnFamily(db));
      DEFAULTS.set(place(db), known);
    }
    return known.family;
  }

  /** Forgets the default family of a database that was opened or closed: the next one may have its pointer. */
  public static void forgetDefault(long db) {
    DEFAULTS.set(place(db), null);
  }

  private static int place(long db) {
    return (int) (db >>> 4 ^ db >>> 12) & PLACES - 1;
  }

  private static native long Java_org_rocksdb_RocksDB_getDefaultColumnFamily(long db);

  private static native void rocksdb_free(long memory);

  private static native int rocksdb_column_family_handle_get_id(long family);

  private static native long rocksdb_column_family_handle_get_name(long family, long length);
}
