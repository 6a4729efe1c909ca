/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;


import java.nio.file.Path;

/**
 * A database with optimistic transactions, which take no locks: a commit fails with {@link RocksDbException.Code#BUSY}
 * if another thread has written a key that the transaction has written or read for update. For keys with few concurrent
 * writes; otherwise use {@link TransactionDb}, whose transactions wait for each other. Thread-safe.
 */
public final class OptimisticTransactionDb extends TransactionalDb {
  OptimisticTransactionDb(DatabaseParts opened) {
    super(opened);
  }

  /**
   * Opens a database with all its column families, and creates it if it does not exist.
   *
   * @param folder the database folder
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   */
  public static OptimisticTransactionDb open(Path folder) {
    return RocksDb.at(folder).openOptimistic();
  }

  @Override
  TransactionOptions retried() {
    return TransactionOptions.defaults();
  }
}
