/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.Iterators;

/** Iterators over several families of a database. */
public final class FamilyIterators {
  private FamilyIterators() {}

  /**
   * Opens one iterator for each family, at one snapshot. For a TtlDB, opens them one by one, because the engine cannot
   * open several together.
   */
  public static long[] open(long db, long[] families, long options) throws RocksDBException {
    return TtlDatabases.isOpen(db) ? eachAlone(db, families, options) : Iterators.open(db, families, options);
  }

  private static long[] eachAlone(long db, long[] families, long options) {
    boolean isFixed = rocksdb_readoptions_get_tailing(options) || Java_org_rocksdb_ReadOptions_snapshot(options) != 0;
    long snapshot = isFixed ? 0 : Snapshots.take(db);
    long copy = Java_org_rocksdb_ReadOptions_copyReadOptions(options);
    long[] iterators = new long[families.length];
    try {
      if (snapshot != 0) {
        Java_org_rocksdb_ReadOptions_setSnapshot(copy, snapshot);
      }
      for (int i = 0; i < families.length; i++) {
        iterators[i] = Iterators.open(db, families[i], copy);
      }
      return iterators;
    } finally {
      Java_org_rocksdb_ReadOptions_disposeInternalJni(copy);
      if (snapshot != 0) {
        Snapshots.release(db, snapshot);
      }
    }
  }

  private static native boolean rocksdb_readoptions_get_tailing(long options);

  private static native long Java_org_rocksdb_ReadOptions_snapshot(long options);

  private static native long Java_org_rocksdb_ReadOptions_copyReadOptions(long options);

  private static native void Java_org_rocksdb_ReadOptions_setSnapshot(long options, long snapshot);

  private static native void Java_org_rocksdb_ReadOptions_disposeInternalJni(long options);
}
