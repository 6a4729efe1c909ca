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
  CHECKSUMS;

  /** How many bytes the engine's checksum of an entry has. */
  private static final long CHECKSUM_BYTES = 8;

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
    }
  }
}
