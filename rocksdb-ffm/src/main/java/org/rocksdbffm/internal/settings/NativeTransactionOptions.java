/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.Reclaimer;

/**
 * The engine's options of a transaction, for both kinds, made once and never changed. They are reclaimed with this object,
 * so whoever hands a pointer to the engine keeps this object reachable. Thread-safe.
 */
public final class NativeTransactionOptions {
  private static final long WEIGHT = 256;

  private final MemorySegment locking = RocksDbC.rocksdb_transaction_options_create();
  private final MemorySegment optimistic = RocksDbC.rocksdb_optimistictransaction_options_create();

  public NativeTransactionOptions(Map<TransactionSetting, Long> settings) {
    MemorySegment first = locking;
    MemorySegment second = optimistic;
    LiveObjects.TRANSACTION_OPTIONS.made();
    Reclaimer.whenUnreachableAtLeisure(this, WEIGHT, () -> destroy(first, second));
    settings.forEach((setting, value) -> setting.apply(locking, value));
    Long snapshot = settings.get(TransactionSetting.SNAPSHOT);
    if (snapshot != null) {
      RocksDbC.rocksdb_optimistictransaction_options_set_set_snapshot(optimistic, snapshot.byteValue());
    }
  }

  private static void destroy(MemorySegment locking, MemorySegment optimistic) {
    RocksDbC.rocksdb_transaction_options_destroy(locking);
    RocksDbC.rocksdb_optimistictransaction_options_destroy(optimistic);
    LiveObjects.TRANSACTION_OPTIONS.gone();
  }

  public MemorySegment forLocking() {
    return locking;
  }

  public MemorySegment forOptimistic() {
    return optimistic;
  }
}
