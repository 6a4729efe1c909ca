/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/** A setting of the engine's write options. */
public enum WriteSetting implements Setting {
  SYNC,
  DISABLE_WAL,
  NO_SLOWDOWN,
  LOW_PRIORITY,
  IGNORE_MISSING_COLUMN_FAMILIES,
  CHECKSUMS,
  RATE_LIMITED,
  INSERT_HINTS;

  /** How many bytes the engine's checksum of an entry has. */
  private static final long CHECKSUM_BYTES = 8;

  /** The engine's numbers of the one priority that writes may have, and of none. */
  private static final int USER = 3;

  private static final int NONE = 4;

  @Override
  public void apply(MemorySegment options, long value) {
    switch (this) {
      case SYNC -> RocksDbC.rocksdb_writeoptions_set_sync(options, (byte) value);
      case DISABLE_WAL -> RocksDbC.rocksdb_writeoptions_disable_WAL(options, (int) value);
      case NO_SLOWDOWN -> RocksDbC.rocksdb_writeoptions_set_no_slowdown(options, (byte) value);
      case LOW_PRIORITY -> RocksDbC.rocksdb_writeoptions_set_low_pri(options, (byte) value);
      case IGNORE_MISSING_COLUMN_FAMILIES ->
          RocksDbC.rocksdb_writeoptions_set_ignore_missing_column_families(options, (byte) value);
      case CHECKSUMS ->
          RocksDbC.rocksdb_writeoptions_set_protection_bytes_per_key(options, value * CHECKSUM_BYTES);
      case RATE_LIMITED -> RocksDbC.rocksdb_writeoptions_set_rate_limiter_priority(options, value != 0 ? USER : NONE);
      case INSERT_HINTS -> RocksDbC.rocksdb_writeoptions_set_memtable_insert_hint_per_batch(options, (byte) value);
    }
  }
}
