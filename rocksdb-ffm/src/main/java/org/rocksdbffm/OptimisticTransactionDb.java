/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;


import java.nio.file.Path;

/**
 * A database whose transactions lock nothing: the commit of one fails, with {@link RocksDbException.Code#BUSY}, if others
 * have written since what it wrote or has read for update. For keys that are rarely written by two at once; where they
 * are, a {@link TransactionDb} lets them wait for each other. Thread-safe.
 */
public final class OptimisticTransactionDb extends TransactionalDb {
  OptimisticTransactionDb(Opened opened) {
    super(opened);
  }

  /**
   * Opens a database with all the column families that it has, and creates it if it does not exist.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static OptimisticTransactionDb open(Path folder) {
    return RocksDb.at(folder).openOptimistic();
  }

  @Override
  TransactionOptions retried() {
    return TransactionOptions.defaults();
  }
}
