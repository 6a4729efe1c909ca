/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import java.util.function.ObjLongConsumer;
import org.rocksdbffm.internal.c.RocksDbC;

/** What can be set on the engine's write options. */
public enum WriteSetting implements Setting {
  SYNC((options, value) -> RocksDbC.rocksdb_writeoptions_set_sync(options, (byte) value)),
  DISABLE_WAL((options, value) -> RocksDbC.rocksdb_writeoptions_disable_WAL(options, (int) value)),
  NO_SLOWDOWN((options, value) -> RocksDbC.rocksdb_writeoptions_set_no_slowdown(options, (byte) value)),
  LOW_PRIORITY((options, value) -> RocksDbC.rocksdb_writeoptions_set_low_pri(options, (byte) value)),
  IGNORE_MISSING_COLUMN_FAMILIES(
      (options, value) -> RocksDbC.rocksdb_writeoptions_set_ignore_missing_column_families(options, (byte) value));

  private final ObjLongConsumer<MemorySegment> setter;

  WriteSetting(ObjLongConsumer<MemorySegment> setter) {
    this.setter = setter;
  }

  @Override
  public void apply(MemorySegment options, long value) {
    setter.accept(options, value);
  }
}
