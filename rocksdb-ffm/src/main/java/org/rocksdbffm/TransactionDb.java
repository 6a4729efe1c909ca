/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;


import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  TransactionDb(Opened opened) {
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
    return RocksDb.at(folder).openTransactional();
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
