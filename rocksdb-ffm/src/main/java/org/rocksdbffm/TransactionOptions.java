/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.rocksdbffm.internal.foreign.WeakMemo;
import org.rocksdbffm.internal.settings.NativeTransactionOptions;
import org.rocksdbffm.internal.settings.TransactionSetting;

/**
 * Options of transactions. Immutable: each method returns changed options. An option that is not set has the engine's
 * default. Options about locks are for a {@link TransactionDb}, and refused by an {@link OptimisticTransactionDb}.
 */
public final class TransactionOptions extends Settings {
  private static final int MAX_DEADLOCK_DEPTH = 10_000;

  private static final TransactionOptions DEFAULTS = new TransactionOptions(Map.of(), WriteOptions.defaults());

  final Map<TransactionSetting, Long> settings;
  private final WriteOptions writeOptions;
  private final WeakMemo<NativeTransactionOptions> made = new WeakMemo<>();

  private TransactionOptions(Map<TransactionSetting, Long> settings, WriteOptions writeOptions) {
    super(settings);
    this.settings = settings;
    this.writeOptions = writeOptions;
  }

  /**
   * Returns the engine's defaults.
   *
   * @return options with nothing set
   */
  public static TransactionOptions defaults() {
    return DEFAULTS;
  }

  private TransactionOptions set(TransactionSetting setting, long value) {
    return new TransactionOptions(changed(settings, setting, value), writeOptions);
  }

  NativeTransactionOptions toNative() {
    NativeTransactionOptions known = made.get();
    return known == null ? made.keep(new NativeTransactionOptions(settings)) : known;
  }

  WriteOptions writeOptions() {
    return writeOptions;
  }

  void requireForOptimistic() {
    for (TransactionSetting setting : settings.keySet()) {
      if (setting != TransactionSetting.SNAPSHOT) { // supported by optimistic transactions too
        throw new IllegalArgumentException(
            "options: " + setting + " is for transactions that take locks, and those of this database take none");
      }
    }
  }

  /**
   * Sets whether the transaction takes a snapshot when it starts. It then fails with {@link RocksDbException.Code#BUSY}
   * to lock a key that others have written since its start, and not only since it has read the key.
   * {@link TransactionKeys#atSnapshot} reads at this snapshot.
   *
   * <p>In a column family with a merge operator, a {@link TransactionDb} compares values: a key that has its former
   * value again counts as not written.
   *
   * @param snapshot true to take a snapshot
   * @return the changed options
   */
  public TransactionOptions snapshot(boolean snapshot) {
    return set(TransactionSetting.SNAPSHOT, snapshot ? 1 : 0);
  }

  /**
   * Sets whether a lock request that would cause a deadlock fails immediately, with
   * {@link RocksDbException.SubCode#DEADLOCK}, instead of after the timeout.
   *
   * @param detect true to detect deadlocks
   * @return the changed options
   */
  public TransactionOptions deadlockDetection(boolean detect) {
    return set(TransactionSetting.DEADLOCK_DETECTION, detect ? 1 : 0);
  }

  /**
   * Sets how many waiting transactions are followed to detect a deadlock; 50 by default. RocksDB allocates memory for
   * this number each time that a transaction waits for a lock; more than the number of waiting threads is never needed.
   *
   * @param depth from 1 to 10,000; if there are more waiting transactions, the lock is refused as for a deadlock
   * @return the changed options
   */
  public TransactionOptions deadlockDepth(int depth) {
    if (depth < 1 || depth > MAX_DEADLOCK_DEPTH) {
      throw new IllegalArgumentException("depth: " + depth + ", but there are between 1 and " + MAX_DEADLOCK_DEPTH);
    }
    return set(TransactionSetting.DEADLOCK_DEPTH, depth);
  }

  /**
   * Sets the lock timeout of the transaction, instead of the database's {@link TransactionDb.LockOptions#timeout}.
   *
   * @param timeout zero to fail immediately
   * @return the changed options
   */
  public TransactionOptions lockTimeout(Duration timeout) {
    return set(TransactionSetting.LOCK_TIMEOUT, TransactionDb.LockOptions.millis("timeout", timeout));
  }

  /**
   * Sets the lifetime of the transaction: if it takes longer, others may take its locks, and its commit fails with
   * {@link RocksDbException.Code#EXPIRED}.
   *
   * @param expiration at least a millisecond
   * @return the changed options
   */
  public TransactionOptions expiration(Duration expiration) {
    long millis = TransactionDb.LockOptions.millis("expiration", expiration);
    if (millis == 0) {
      throw new IllegalArgumentException("expiration: " + expiration + " is less than a millisecond");
    }
    return set(TransactionSetting.EXPIRATION, millis);
  }

  /**
   * Sets the maximum memory of the transaction's changes.
   *
   * @param size the maximum, above zero; a change beyond it fails with {@link RocksDbException.SubCode#MEMORY_LIMIT}
   * @return the changed options
   */
  public TransactionOptions maxSize(ByteSize size) {
    if (requireNonNull(size, "size").bytes() == 0) {
      throw new IllegalArgumentException("size: " + size + " leaves no room for a change");
    }
    return set(TransactionSetting.MAX_SIZE, size.bytes());
  }

  /**
   * Sets the write options of the commit and of {@link Transaction#prepare}.
   *
   * @param options replace earlier ones
   * @return the changed options
   */
  public TransactionOptions writeOptions(WriteOptions options) {
    return new TransactionOptions(settings, requireNonNull(options, "options"));
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other) && writeOptions.equals(((TransactionOptions) other).writeOptions);
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + writeOptions.hashCode();
  }

  @Override
  public String toString() {
    return super.toString() + ", " + writeOptions;
  }
}
