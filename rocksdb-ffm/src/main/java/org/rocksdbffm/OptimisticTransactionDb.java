/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * A database whose transactions lock nothing: the commit of one fails, with {@link RocksDbException.Code#BUSY}, if others
 * have written since what it wrote or has read for update. For keys that are rarely written by two at once; where they
 * are, a {@link TransactionDb} lets them wait for each other. Thread-safe.
 */
public final class OptimisticTransactionDb extends TransactionalDb {
  private OptimisticTransactionDb(Opened opened) {
    super(opened);
  }

  /**
   * Opens a database with all the column families that it has, and creates it if it does not exist.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static OptimisticTransactionDb open(Path folder) {
    return open(folder, CREATE);
  }

  /**
   * Opens a database with all the column families that it has.
   *
   * @param folder where it lives
   * @param options for the database and for each of its column families
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static OptimisticTransactionDb open(Path folder, Options options) {
    return Opening.of(DatabaseKind.OPTIMISTIC, folder, options, null).into(OptimisticTransactionDb::new);
  }

  /**
   * Opens a database with column families that have options of their own; see {@link RocksDb#open(Path, Options, Map)}.
   *
   * @param folder where it lives
   * @param options for the database as a whole, and for the default column family unless that is named too
   * @param columnFamilies the options of each column family, by name
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static OptimisticTransactionDb open(Path folder, Options options, Map<String, Options> columnFamilies) {
    return Opening.of(DatabaseKind.OPTIMISTIC, folder, options, requireNonNull(columnFamilies, "columnFamilies"))
        .into(OptimisticTransactionDb::new);
  }

  @Override
  TransactionOptions retried() {
    return TransactionOptions.defaults();
  }
}
