/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.settings.WriteSetting;

/** RocksDB's write options; immutable. Freed when this object is unreachable. Thread-safe. */
public final class NativeWriteOptions {
  private static final long WEIGHT = 128;

  private final MemorySegment options = Memory.atAddress(HotCalls.createWriteOptions());
  final boolean skipsMissingFamilies;
  private final boolean unlogged;

  public NativeWriteOptions(Map<WriteSetting, Long> settings) {
    MemorySegment created = options;
    LiveObjects.WRITE_OPTIONS.made();
    Reclaimer.whenUnreachableAtLeisure(this, WEIGHT, () -> destroy(created));
    for (var setting : settings.entrySet()) {
      setting.getKey().apply(options, setting.getValue());
    }
    skipsMissingFamilies = has(settings, WriteSetting.IGNORE_MISSING_COLUMN_FAMILIES);
    unlogged = has(settings, WriteSetting.DISABLE_WAL);
  }

  private static boolean has(Map<WriteSetting, Long> settings, WriteSetting setting) {
    return !settings.isEmpty() && settings.getOrDefault(setting, 0L) != 0;
  }

  public boolean isUnlogged() {
    return unlogged;
  }

  private static void destroy(MemorySegment options) {
    HotCalls.destroyWriteOptions(options.address());
    LiveObjects.WRITE_OPTIONS.freed();
  }

  public MemorySegment pointer() {
    return options;
  }
}
