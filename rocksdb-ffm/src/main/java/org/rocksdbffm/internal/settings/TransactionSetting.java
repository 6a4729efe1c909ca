/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/** A setting of a transaction. */
public enum TransactionSetting implements Setting {
  SNAPSHOT,
  DEADLOCK_DETECTION,
  DEADLOCK_DEPTH,
  /** Milliseconds. */
  LOCK_TIMEOUT,
  /** Milliseconds. */
  EXPIRATION,
  MAX_SIZE;

  /** Sets it for a transaction that takes locks. */
  @Override
  public void apply(MemorySegment options, long value) {
    switch (this) {
      case SNAPSHOT -> RocksDbC.rocksdb_transaction_options_set_set_snapshot(options, (byte) value);
      case DEADLOCK_DETECTION -> RocksDbC.rocksdb_transaction_options_set_deadlock_detect(options, (byte) value);
      case DEADLOCK_DEPTH -> RocksDbC.rocksdb_transaction_options_set_deadlock_detect_depth(options, value);
      case LOCK_TIMEOUT -> RocksDbC.rocksdb_transaction_options_set_lock_timeout(options, value);
      case EXPIRATION -> RocksDbC.rocksdb_transaction_options_set_expiration(options, value);
      case MAX_SIZE -> RocksDbC.rocksdb_transaction_options_set_max_write_batch_size(options, value);
    }
  }

  /** Whether an optimistic transaction has it as well. */
  public boolean isForOptimistic() {
    return this == SNAPSHOT;
  }
}
