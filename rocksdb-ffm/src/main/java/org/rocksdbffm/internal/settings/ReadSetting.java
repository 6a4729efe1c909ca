/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.rocksdbffm.internal.c.RocksDbC;

/** A setting of the engine's read options, with a number for its value. */
public enum ReadSetting implements Setting {
  FILL_CACHE,
  READ_TIER,
  READAHEAD_SIZE,
  PIN_DATA,
  IGNORE_RANGE_DELETIONS,
  ASYNC_IO,
  IO_TIMEOUT,
  ADAPTIVE_READAHEAD,
  BACKGROUND_PURGE,
  MAX_SKIPPABLE_KEYS,
  AUTO_READAHEAD,
  RATE_LIMITED,
  /** Microseconds from the moment that it is set at. */
  DEADLINE;

  /** The engine's number for reads that stay in memory. */
  public static final long BLOCK_CACHE_TIER = 1;

  @Override
  public void apply(MemorySegment options, long value) {
    switch (this) {
      case FILL_CACHE -> RocksDbC.rocksdb_readoptions_set_fill_cache(options, (byte) value);
      case READ_TIER -> RocksDbC.rocksdb_readoptions_set_read_tier(options, (int) value);
      case READAHEAD_SIZE -> RocksDbC.rocksdb_readoptions_set_readahead_size(options, value);
      case PIN_DATA -> RocksDbC.rocksdb_readoptions_set_pin_data(options, (byte) value);
      case IGNORE_RANGE_DELETIONS -> RocksDbC.rocksdb_readoptions_set_ignore_range_deletions(options, (byte) value);
      case ASYNC_IO -> RocksDbC.rocksdb_readoptions_set_async_io(options, (byte) value);
      case IO_TIMEOUT -> RocksDbC.rocksdb_readoptions_set_io_timeout(options, value);
      case ADAPTIVE_READAHEAD -> RocksDbC.rocksdb_readoptions_set_adaptive_readahead(options, (byte) value);
      case BACKGROUND_PURGE -> RocksDbC.rocksdb_readoptions_set_background_purge_on_iterator_cleanup(options, (byte) value);
      case MAX_SKIPPABLE_KEYS -> RocksDbC.rocksdb_readoptions_set_max_skippable_internal_keys(options, value);
      case AUTO_READAHEAD -> RocksDbC.rocksdb_readoptions_set_auto_readahead_size(options, (byte) value);
      case RATE_LIMITED -> RocksDbC.rocksdb_readoptions_set_rate_limiter_priority(options, (int) value);
      case DEADLINE -> RocksDbC.rocksdb_readoptions_set_deadline(options, now() + value);
    }
  }

  /** The engine's time: microseconds since 1970. */
  private static long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
