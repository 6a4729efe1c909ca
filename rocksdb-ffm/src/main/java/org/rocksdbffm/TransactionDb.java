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
import org.rocksdbffm.internal.transaction.TransactionRegistry;
import org.rocksdbffm.internal.write.RecoveredLocks;

/**
 * A database with pessimistic transactions, which lock the keys that they write, and the keys that they read for
 * update: others that need them wait. Writes outside of transactions lock their keys during the write too; range
 * deletions are not supported. For keys with many concurrent writes; an {@link OptimisticTransactionDb} is cheaper if
 * conflicts are rare. Thread-safe.
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

  TransactionDb(DatabaseParts opened) {
    super(opened);
    NativeTransactionOptions options = FOR_RECOVERED.toNative();
    RecoveredLocks.take(database(), opened.readDefaults, opened.writeDefaults.pointer(), options);
  }

  /**
   * Opens a database with all its column families, and creates it if it does not exist.
   *
   * @param folder the database folder
   * @return the database, which the caller <em>owns</em> and must close
   * @throws RocksDbException if the database cannot be opened
   */
  public static TransactionDb open(Path folder) {
    return RocksDb.at(folder).openTransactional();
  }

  @Override
  TransactionOptions retried() {
    return RETRIED;
  }

  /**
   * Returns the {@linkplain Transaction#prepare prepared} transactions that the program does not hold: transactions of
   * an ended process, and closed ones. Each is returned once, until it is closed again. They keep the locks of the keys
   * that they have written; keys that they have only read for update are not in the WAL, and are not locked after an
   * opening.
   *
   * @return the transactions, which the caller <em>owns</em>, and must commit or roll back
   */
  public List<Transaction> prepared() {
    List<NativeTransaction> taken = TransactionRegistry.of(database()).prepared().take(database());
    return taken.stream().map(this::of).toList();
  }

  /**
   * Options of the locks of a {@link TransactionDb}. Immutable: each method returns changed options. An option that is
   * not set has the engine's default.
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
     * Returns the engine's defaults.
     *
     * @return options with nothing set
     */
    public static LockOptions defaults() {
      return DEFAULTS;
    }

    private LockOptions set(LockSetting setting, long value) {
      return new LockOptions(changed(settings, setting, value));
    }

    /** Converts a duration to milliseconds, rounded up, and limited to the engine's range. */
    static long millis(String name, Duration duration) {
      if (requireNonNull(duration, name).isNegative()) {
        throw new IllegalArgumentException(name + ": " + duration + " is below zero");
      }
      return duration.compareTo(A_CENTURY) > 0 ? A_CENTURY.toMillis() : Math.ceilDiv(duration.toNanos(), 1_000_000L);
    }

    /**
     * Sets the lock timeout of transactions, unless their own options set another.
     *
     * @param timeout zero to fail immediately; a second by default
     * @return the changed options
     */
    public LockOptions timeout(Duration timeout) {
      return set(LockSetting.LOCK_TIMEOUT, millis("timeout", timeout));
    }

    /**
     * Sets the lock timeout of writes outside of transactions.
     *
     * @param timeout zero to fail immediately; a second by default
     * @return the changed options
     */
    public LockOptions writeTimeout(Duration timeout) {
      return set(LockSetting.WRITE_LOCK_TIMEOUT, millis("timeout", timeout));
    }

    /**
     * Sets the maximum number of locked keys in a column family; a lock beyond that fails with
     * {@link RocksDbException.SubCode#LOCK_LIMIT}. The opening fails too if prepared transactions have written more
     * keys.
     *
     * @param locks the maximum, at least 1
     * @return the changed options
     */
    public LockOptions maxLocks(long locks) {
      if (locks < 1) {
        throw new IllegalArgumentException("locks: " + locks + " is less than one");
      }
      return set(LockSetting.MAX_LOCKS, locks);
    }

    /**
     * Sets the number of stripes of a column family's lock table: more stripes mean less contention.
     *
     * @param stripes from 1 to 65536
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
