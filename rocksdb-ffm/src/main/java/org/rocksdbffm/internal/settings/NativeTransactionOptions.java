/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.Reclaimer;

/**
 * RocksDB's options of both kinds of transactions; immutable. Freed when this object is unreachable, so callers keep it
 * reachable while the engine uses a pointer. Thread-safe.
 */
public final class NativeTransactionOptions {
  private static final long WEIGHT = 256;

  private final MemorySegment locking = RocksDbC.rocksdb_transaction_options_create();
  private final MemorySegment lockingAtSnapshot = RocksDbC.rocksdb_transaction_options_create();
  private final boolean snapshot;
  private final MemorySegment optimistic = RocksDbC.rocksdb_optimistictransaction_options_create();

  public NativeTransactionOptions(Map<TransactionSetting, Long> settings) {
    MemorySegment first = locking;
    MemorySegment second = lockingAtSnapshot;
    MemorySegment third = optimistic;
    LiveObjects.TRANSACTION_OPTIONS.made();
    Reclaimer.whenUnreachableAtLeisure(this, WEIGHT, () -> destroy(first, second, third));
    settings.forEach((setting, value) -> setting.apply(lockingAtSnapshot, value));
    settings.forEach((setting, value) -> setting.apply(locking, setting == TransactionSetting.SNAPSHOT ? 0 : value));
    snapshot = settings.getOrDefault(TransactionSetting.SNAPSHOT, 0L) != 0;
    RocksDbC.rocksdb_optimistictransaction_options_set_set_snapshot(optimistic, (byte) (snapshot ? 1 : 0));
  }

  private static void destroy(MemorySegment locking, MemorySegment lockingAtSnapshot, MemorySegment optimistic) {
    RocksDbC.rocksdb_transaction_options_destroy(locking);
    RocksDbC.rocksdb_transaction_options_destroy(lockingAtSnapshot);
    RocksDbC.rocksdb_optimistictransaction_options_destroy(optimistic);
    LiveObjects.TRANSACTION_OPTIONS.freed();
  }

  /** Whether a transaction has a snapshot. */
  public boolean snapshot() {
    return snapshot;
  }

  /** Returns the options for a pessimistic transaction, for which the engine takes a snapshot or not. */
  public MemorySegment forLocking(boolean takesSnapshot) {
    return takesSnapshot ? lockingAtSnapshot : locking;
  }

  public MemorySegment forOptimistic() {
    return optimistic;
  }
}
