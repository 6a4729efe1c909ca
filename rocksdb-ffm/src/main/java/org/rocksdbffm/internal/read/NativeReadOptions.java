/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.db.ReadMoment;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.settings.ReadSetting;

/**
 * The engine's read options, made once and never changed. They are reclaimed with this object, so whoever
 * hands their pointer to the engine keeps this object reachable. Thread-safe.
 */
public final class NativeReadOptions {
  private static final long WEIGHT = 1 << 10;

  private final MemorySegment options = RocksDbC.rocksdb_readoptions_create();
  private final boolean mayReadFiles;

  public NativeReadOptions(Map<ReadSetting, Long> settings) {
    MemorySegment created = options;
    mayReadFiles =
        settings.isEmpty() || settings.getOrDefault(ReadSetting.READ_TIER, 0L) != ReadSetting.BLOCK_CACHE_TIER;
    LiveObjects.READ_OPTIONS.made();
    Reclaimer.whenUnreachableAtLeisure(this, WEIGHT, () -> destroy(created));
    for (var setting : settings.entrySet()) {
      setting.getKey().apply(options, setting.getValue());
    }
  }

  /** Reads at a snapshot; the reader guards it. */
  public NativeReadOptions withSnapshot(ReadMoment snapshot) {
    snapshot.setIn(options);
    return this;
  }

  private static void destroy(MemorySegment options) {
    RocksDbC.rocksdb_readoptions_destroy(options);
    LiveObjects.READ_OPTIONS.gone();
  }

  /** Whether reads go beyond memtables and the block cache, if they have to. */
  boolean mayReadFiles() {
    return mayReadFiles;
  }

  public MemorySegment pointer() {
    return options;
  }
}
