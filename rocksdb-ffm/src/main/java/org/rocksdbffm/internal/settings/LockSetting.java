/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/** A setting of a database whose transactions take locks. */
public enum LockSetting implements Setting {
  /** Milliseconds for which a transaction waits for a lock; for ever if it is below zero. */
  LOCK_TIMEOUT,
  /** Milliseconds for which a write outside of transactions does. */
  WRITE_LOCK_TIMEOUT,
  /** How many locks there may be in a column family; as many as there is room for if it is below zero. */
  MAX_LOCKS,
  STRIPES,
  KEPT_DEADLOCKS;

  @Override
  public void apply(MemorySegment options, long value) {
    switch (this) {
      case LOCK_TIMEOUT -> RocksDbC.rocksdb_transactiondb_options_set_transaction_lock_timeout(options, value);
      case WRITE_LOCK_TIMEOUT -> RocksDbC.rocksdb_transactiondb_options_set_default_lock_timeout(options, value);
      case MAX_LOCKS -> RocksDbC.rocksdb_transactiondb_options_set_max_num_locks(options, value);
      case STRIPES -> RocksDbC.rocksdb_transactiondb_options_set_num_stripes(options, value);
      case KEPT_DEADLOCKS -> RocksDbC.rocksdb_transactiondb_options_set_max_num_deadlocks(options, (int) value);
    }
  }
}
