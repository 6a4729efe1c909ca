/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.settings.LockSetting;
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

  /**
   * Options of the locks of a {@link TransactionDb}. Immutable: each method returns options of its own. An option not set has
   * the engine's default.
   */
  public static final class LockOptions extends Settings {
    private static final LockOptions DEFAULTS = new LockOptions(Map.of());

    private static final Duration A_CENTURY = Duration.ofDays(36_525);


    final Map<LockSetting, Long> settings;

    private LockOptions(Map<LockSetting, Long> settings) {
      super(settings);
      this.settings = settings;
    }

    /**
     * The engine's defaults.
     *
     * @return options in which nothing is set
     */
    public static LockOptions defaults() {
      return DEFAULTS;
    }

    private LockOptions set(LockSetting setting, long value) {
      return new LockOptions(changed(settings, setting, value));
    }

    /** In milliseconds, begun ones too, and at most as many as the engine can count with. */
    static long millis(String name, Duration duration) {
      if (requireNonNull(duration, name).isNegative()) {
        throw new IllegalArgumentException(name + ": " + duration + " is below zero");
      }
      return duration.compareTo(A_CENTURY) > 0 ? A_CENTURY.toMillis() : Math.ceilDiv(duration.toNanos(), 1_000_000L);
    }

    /**
     * How long a transaction waits for a lock, unless its own options say another time.
     *
     * @param timeout zero to fail at once; a second by default
     * @return the changed options
     */
    public LockOptions timeout(Duration timeout) {
      return set(LockSetting.LOCK_TIMEOUT, millis("timeout", timeout));
    }

    /**
     * How long a write outside of transactions waits for a lock.
     *
     * @param timeout zero to fail at once; a second by default
     * @return the changed options
     */
    public LockOptions writeTimeout(Duration timeout) {
      return set(LockSetting.WRITE_LOCK_TIMEOUT, millis("timeout", timeout));
    }

    /**
     * How many keys of a column family may be locked at the same time; a lock beyond that fails with {@link
     * RocksDbException.SubCode#LOCK_LIMIT}. So does the opening of a database whose prepared transactions have written more.
     *
     * @param locks the most, at least 1
     * @return the changed options
     */
    public LockOptions maxLocks(long locks) {
      if (locks < 1) {
        throw new IllegalArgumentException("locks: " + locks + " is less than one");
      }
      return set(LockSetting.MAX_LOCKS, locks);
    }

    /**
     * Into how many parts the table of locks of a column family is divided: with more, threads meet less.
     *
     * @param stripes between 1 and 65536
     * @return the changed options
     */
    public LockOptions stripes(int stripes) {
      if (stripes < 1 || stripes > 1 << 16) {
        throw new IllegalArgumentException("stripes: " + stripes + ", but there are between 1 and 65536");
      }
      return set(LockSetting.STRIPES, stripes);
    }
  }
}
