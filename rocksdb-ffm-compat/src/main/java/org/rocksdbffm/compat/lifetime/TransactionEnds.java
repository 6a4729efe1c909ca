/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import org.rocksdb.RocksDBException;

/**
 * Destroys transactions. The engine takes the name of one that is not prepared out of its list before it knows whether
 * the commit went well, and when it did not, takes it out once more with the transaction, which ends the process. Such
 * a transaction holds no locks any more; it is left alone, without its snapshot.
 */
public final class TransactionEnds {
  /** The engine's number for a transaction that is being committed, or was and failed. */
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

  /** Whether its commit failed, and the engine forgot its name. */
  static boolean isLostToTheEngine(long transaction) {
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
