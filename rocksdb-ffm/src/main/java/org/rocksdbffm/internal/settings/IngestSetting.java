/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;

/** A setting of the engine's options for the ingestion of table files. */
public enum IngestSetting implements Setting {
  MOVE,
  BEHIND,
  LAST_LEVEL_ONLY,
  SNAPSHOT_CONSISTENCY,
  GLOBAL_SEQUENCE_NUMBERS,
  BLOCKING_FLUSH,
  VERIFY_CHECKSUMS,
  FILL_CACHE;

  @Override
  public void apply(MemorySegment options, long value) {
    byte on = (byte) value;
    switch (this) {
      case MOVE -> RocksDbC.rocksdb_ingestexternalfileoptions_set_move_files(options, on);
      case BEHIND -> RocksDbC.rocksdb_ingestexternalfileoptions_set_ingest_behind(options, on);
      case LAST_LEVEL_ONLY -> RocksDbC.rocksdb_ingestexternalfileoptions_set_fail_if_not_bottommost_level(options, on);
      case SNAPSHOT_CONSISTENCY -> RocksDbC.rocksdb_ingestexternalfileoptions_set_snapshot_consistency(options, on);
      case GLOBAL_SEQUENCE_NUMBERS -> RocksDbC.rocksdb_ingestexternalfileoptions_set_allow_global_seqno(options, on);
      case BLOCKING_FLUSH -> RocksDbC.rocksdb_ingestexternalfileoptions_set_allow_blocking_flush(options, on);
      case VERIFY_CHECKSUMS ->
          RocksDbC.rocksdb_ingestexternalfileoptions_set_verify_checksums_before_ingest(options, on);
      case FILL_CACHE -> RocksDbC.rocksdb_ingestexternalfileoptions_set_fill_cache(options, on);
    }
  }
}
