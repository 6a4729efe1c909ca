/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.NativeTransactionOptions;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.transaction.OpenTransactions;
import org.rocksdbffm.internal.write.RecoveredLocks;

/**
 * A database whose transactions lock the keys that they write, and those that they read for update: others that want them
 * wait. A write outside of a transaction locks its key too, for as long as it takes; it deletes no ranges. For keys that many write;
 * where conflicts are rare, an {@link OptimisticTransactionDb} does with less. Thread-safe.
 *
 * <pre>{@code
 * try (TransactionDb db = TransactionDb.open(Path.of("/data/accounts"))) {
 *   db.inTransaction(transaction -> {
 *     long balance = decode(transaction.getForUpdate(account));
 *     transaction.put(account, encode(balance - amount));
 *   });
 * }
 * }</pre>
 */
public final class TransactionDb extends TransactionalDb {
  private static final TransactionOptions RETRIED = TransactionOptions.defaults().deadlockDetection(true);

  private static final TransactionOptions FOR_RECOVERED = TransactionOptions.defaults().lockTimeout(Duration.ZERO);

  private TransactionDb(Opened opened) {
    super(opened);
    NativeTransactionOptions options = FOR_RECOVERED.toNative();
    RecoveredLocks.take(database(), opened.readDefaults, opened.writeDefaults.pointer(), options);
  }

  /**
   * Opens a database with all the column families that it has, and creates it if it does not exist.
   *
   * @param folder where it lives
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static TransactionDb open(Path folder) {
    return open(folder, CREATE);
  }

  /**
   * Opens a database with all the column families that it has.
   *
   * @param folder where it lives
   * @param options for the database and for each of its column families
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static TransactionDb open(Path folder, Options options) {
    return open(folder, options, LockOptions.defaults());
  }

  /**
   * Opens a database with all the column families that it has.
   *
   * @param folder where it lives
   * @param options for the database and for each of its column families
   * @param locks options of its locks
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static TransactionDb open(Path folder, Options options, LockOptions locks) {
    return opening(folder, options, null, locks).into(TransactionDb::new);
  }

  /**
   * Opens a database with column families that have options of their own; see {@link RocksDb#open(Path, Options, Map)}.
   *
   * @param folder where it lives
   * @param options for the database as a whole, and for the default column family unless that is named too
   * @param columnFamilies the options of each column family, by name
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static TransactionDb open(Path folder, Options options, Map<String, Options> columnFamilies) {
    return open(folder, options, columnFamilies, LockOptions.defaults());
  }

  /**
   * Opens a database with column families that have options of their own; see {@link RocksDb#open(Path, Options, Map)}.
   *
   * @param folder where it lives
   * @param options for the database as a whole, and for the default column family unless that is named too
   * @param columnFamilies the options of each column family, by name
   * @param locks options of its locks
   * @return the database, which the caller <em>owns</em> and must close
   */
  public static TransactionDb open(
      Path folder, Options options, Map<String, Options> columnFamilies, LockOptions locks) {
    return opening(folder, options, requireNonNull(columnFamilies, "columnFamilies"), locks).into(TransactionDb::new);
  }

  private static Opening opening(Path folder, Options options, Map<String, Options> columnFamilies, LockOptions locks) {
    return new Opening(
        DatabaseKind.LOCKING, folder, options, columnFamilies, requireNonNull(locks, "locks").settings());
  }

  @Override
  TransactionOptions retried() {
    return RETRIED;
  }

  /**
   * The transactions that are {@linkplain Transaction#prepare prepared} and that nobody has: those whose process ended, or
   * that were closed. Each is given out once, until it is closed again. They keep the keys locked that they have written; what
   * they had only read for update is not in the log, and not locked any more after an opening.
   *
   * @return the transactions, which the caller <em>owns</em>, and is to commit or roll back
   */
  public List<Transaction> prepared() {
    List<NativeTransaction> taken = OpenTransactions.of(database()).prepared().take(database());
    return taken.stream().map(this::of).toList();
  }
}
