/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import java.util.function.ObjLongConsumer;
import org.rocksdbffm.internal.c.RocksDbC;

/** What can be set on the engine's read options by a number. */
public enum ReadSetting implements Setting {
  VERIFY_CHECKSUMS((options, value) -> RocksDbC.rocksdb_readoptions_set_verify_checksums(options, (byte) value)),
  FILL_CACHE((options, value) -> RocksDbC.rocksdb_readoptions_set_fill_cache(options, (byte) value)),
  READ_TIER((options, value) -> RocksDbC.rocksdb_readoptions_set_read_tier(options, (int) value)),
  READAHEAD_SIZE(RocksDbC::rocksdb_readoptions_set_readahead_size),
  PREFIX_SAME_AS_START(
      (options, value) -> RocksDbC.rocksdb_readoptions_set_prefix_same_as_start(options, (byte) value)),
  TOTAL_ORDER_SEEK((options, value) -> RocksDbC.rocksdb_readoptions_set_total_order_seek(options, (byte) value)),
  AUTO_PREFIX_MODE((options, value) -> RocksDbC.rocksdb_readoptions_set_auto_prefix_mode(options, (byte) value)),
  TAILING((options, value) -> RocksDbC.rocksdb_readoptions_set_tailing(options, (byte) value)),
  PIN_DATA((options, value) -> RocksDbC.rocksdb_readoptions_set_pin_data(options, (byte) value)),
  IGNORE_RANGE_DELETIONS(
      (options, value) -> RocksDbC.rocksdb_readoptions_set_ignore_range_deletions(options, (byte) value)),
  ASYNC_IO((options, value) -> RocksDbC.rocksdb_readoptions_set_async_io(options, (byte) value)),
  IO_TIMEOUT(RocksDbC::rocksdb_readoptions_set_io_timeout);

  /** The engine's number for reads that stay in memory. */
  static final long BLOCK_CACHE_TIER = 1;

  private final ObjLongConsumer<MemorySegment> setter;

  ReadSetting(ObjLongConsumer<MemorySegment> setter) {
    this.setter = setter;
  }

  @Override
  public void apply(MemorySegment options, long value) {
    setter.accept(options, value);
  }
}
