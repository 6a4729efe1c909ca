/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import org.rocksdb.RocksDBException;

/**
 * Destroys transactions. The engine deregisters the name of an unprepared transaction before the commit succeeds. If
 * the commit fails, destroying the transaction would deregister the name again, which ends the process. Such a
 * transaction holds no locks, and is leaked, without its snapshot.
 */
public final class TransactionEnds {
  /** RocksDB's AWAITING_COMMIT: the commit is running or has failed. */
  private static final byte AWAITING_COMMIT = 3;

  private TransactionEnds() {}

  public static void dispose(long transaction) {
    Transactions.closed(transaction);
    if (isLostToTheEngine(transaction)) {
      Java_org_rocksdb_Transaction_clearSnapshot(transaction);
    } else {
      Java_org_rocksdb_Transaction_disposeInternal(transaction);
    }
  }

  /** Whether the commit failed, and the engine deregistered the name. */
  public static boolean isLostToTheEngine(long transaction) {
    return Java_org_rocksdb_Transaction_getState(transaction) == AWAITING_COMMIT && isNamed(transaction);
  }

  static boolean isNamed(long transaction) {
    try {
      return !Java_org_rocksdb_Transaction_getName(transaction).isEmpty();
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private static native byte Java_org_rocksdb_Transaction_getState(long transaction);

  private static native String Java_org_rocksdb_Transaction_getName(long transaction) throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_clearSnapshot(long transaction);

  private static native void Java_org_rocksdb_Transaction_disposeInternal(long transaction);
}
