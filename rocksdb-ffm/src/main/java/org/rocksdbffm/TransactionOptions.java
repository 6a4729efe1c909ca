/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import org.rocksdbffm.internal.foreign.WeakMemo;
import org.rocksdbffm.internal.settings.NativeTransactionOptions;
import org.rocksdbffm.internal.settings.TransactionSetting;

/**
 * Options of transactions. Immutable: each method returns options of its own. An option not set has the engine's default.
 * Those of locks are for a {@link TransactionDb}, and refused by an {@link OptimisticTransactionDb}.
 */
public final class TransactionOptions extends Settings {
  private static final int MAX_DEADLOCK_DEPTH = 10_000;

  private static final TransactionOptions DEFAULTS = new TransactionOptions(Map.of(), WriteOptions.defaults());

  final Map<TransactionSetting, Long> settings;
  private final WriteOptions writeOptions;
  private final WeakMemo<NativeTransactionOptions> made;

  private TransactionOptions(Map<TransactionSetting, Long> settings, WriteOptions writeOptions) {
    super(settings);
    this.settings = settings;
    this.writeOptions = writeOptions;
    this.made = new WeakMemo<>(() -> new NativeTransactionOptions(settings));
  }

  /**
   * The engine's defaults.
   *
   * @return options in which nothing is set
   */
  public static TransactionOptions defaults() {
    return DEFAULTS;
  }

  private TransactionOptions set(TransactionSetting setting, long value) {
    return new TransactionOptions(changed(settings, setting, value), writeOptions);
  }

  NativeTransactionOptions toNative() {
    return made.get();
  }

  WriteOptions writeOptions() {
    return writeOptions;
  }

  void requireForOptimistic() {
    for (TransactionSetting setting : settings.keySet()) {
      if (setting != TransactionSetting.SNAPSHOT) { // which optimistic ones have as well
        throw new IllegalArgumentException(
            "options: " + setting + " is for transactions that take locks, and those of this database take none");
      }
    }
  }

  /**
   * Whether the transaction takes a snapshot when it begins: it then fails to lock a key that others have written since,
   * with {@link RocksDbException.Code#BUSY}, and not only one that they write after it was read. {@link
   * TransactionKeys#atSnapshot} reads as of then.
   *
   * <p>In a column family with a merge operator, a {@link TransactionDb} compares values: a key that has its value again
   * counts as not written.
   *
   * @param snapshot whether to
   * @return the changed options
   */
  public TransactionOptions snapshot(boolean snapshot) {
    return set(TransactionSetting.SNAPSHOT, snapshot ? 1 : 0);
  }

  /**
   * Whether a transaction that would wait for one that waits for it fails at once, with {@link
   * RocksDbException.SubCode#DEADLOCK}, and not when its time is up.
   *
   * @param detect whether to look for that
   * @return the changed options
   */
  public TransactionOptions deadlockDetection(boolean detect) {
    return set(TransactionSetting.DEADLOCK_DETECTION, detect ? 1 : 0);
  }

  /**
   * How many transactions that wait for each other are followed in search of a deadlock; 50 by default. The engine takes
   * memory for so many each time that a transaction waits for a lock, and there are no more than threads that wait.
   *
   * @param depth between 1 and 10,000; where there are more, the lock is refused as for a deadlock
   * @return the changed options
   */
  public TransactionOptions deadlockDepth(int depth) {
    if (depth < 1 || depth > MAX_DEADLOCK_DEPTH) {
      throw new IllegalArgumentException("depth: " + depth + ", but there are between 1 and " + MAX_DEADLOCK_DEPTH);
    }
    return set(TransactionSetting.DEADLOCK_DEPTH, depth);
  }

  /**
   * How long to wait for a lock, for at most; in place of the database's {@link TransactionDb.LockOptions#timeout}.
   *
   * @param timeout zero to fail at once
   * @return the changed options
   */
  public TransactionOptions lockTimeout(Duration timeout) {
    return set(TransactionSetting.LOCK_TIMEOUT, TransactionDb.LockOptions.millis("timeout", timeout));
  }

  /**
   * How long the transaction may live: if it lives longer, others may take its locks, and its commit fails with {@link
   * RocksDbException.Code#EXPIRED}.
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
   * How much memory the changes may take.
   *
   * @param size the most, above zero; a change that goes beyond fails with {@link
   *     RocksDbException.SubCode#MEMORY_LIMIT}
   * @return the changed options
   */
  public TransactionOptions maxSize(ByteSize size) {
    if (requireNonNull(size, "size").bytes() == 0) {
      throw new IllegalArgumentException("size: " + size + " leaves no room for a change");
    }
    return set(TransactionSetting.MAX_SIZE, size.bytes());
  }

  /**
   * How the changes are written when the transaction is committed, or prepared.
   *
   * @param options replace those there were
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
