/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import org.rocksdb.RocksDBException;

/** Transaction writes for which the C API has no functions: keys in parts, and single deletions. */
public final class PartWrites {
  private PartWrites() {}

  public static void put(
      long transaction, byte[][] key, int keyParts, byte[][] value, int valueParts, long family, boolean tracked)
      throws RocksDBException {
    boolean isLocked = tracked || SnapshotLocks.lock(transaction, family, key);
    Java_org_rocksdb_Transaction_put__J_3_3BI_3_3BIJZ(
        transaction, key, keyParts, value, valueParts, family, isLocked);
  }

  public static void delete(long transaction, byte[][] key, int parts, long family, boolean tracked)
      throws RocksDBException {
    boolean isLocked = tracked || SnapshotLocks.lock(transaction, family, key);
    Java_org_rocksdb_Transaction_delete__J_3_3BIJZ(transaction, key, parts, family, isLocked);
  }

  public static void singleDelete(long transaction, byte[] key, int length, long family, boolean tracked)
      throws RocksDBException {
    boolean isLocked = tracked || SnapshotLocks.lock(transaction, family, key);
    Java_org_rocksdb_Transaction_singleDelete__J_3BIJZ(transaction, key, length, family, isLocked);
  }

  public static void singleDelete(long transaction, byte[][] key, int parts, long family, boolean tracked)
      throws RocksDBException {
    boolean isLocked = tracked || SnapshotLocks.lock(transaction, family, key);
    Java_org_rocksdb_Transaction_singleDelete__J_3_3BIJZ(transaction, key, parts, family, isLocked);
  }

  private static native void Java_org_rocksdb_Transaction_put__J_3_3BI_3_3BIJZ(
      long transaction, byte[][] key, int keyParts, byte[][] value, int valueParts, long family, boolean tracked)
      throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_delete__J_3_3BIJZ(
      long transaction, byte[][] key, int parts, long family, boolean tracked) throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_singleDelete__J_3BIJZ(
      long transaction, byte[] key, int length, long family, boolean tracked) throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_singleDelete__J_3_3BIJZ(
      long transaction, byte[][] key, int parts, long family, boolean tracked) throws RocksDBException;
}
