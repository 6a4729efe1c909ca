/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.settings.ReadSetting;

/**
 * RocksDB's read options; immutable after construction. Freed when this object is unreachable, so callers keep it
 * reachable while the engine uses the pointer. Thread-safe.
 */
public final class NativeReadOptions {
  private static final long WEIGHT = 1 << 10;

  /** RocksDB's number of {@code kBlockCacheTier}, for reads that do no I/O. */
  private static final long BLOCK_CACHE_TIER = 1;

  private final MemorySegment options = Memory.atAddress(HotCalls.createReadOptions());
  private final Map<ReadSetting, Long> settings;
  final boolean mayReadFiles;
  private ReadPoint point; // for copies; null for the latest state

  public NativeReadOptions(Map<ReadSetting, Long> settings) {
    MemorySegment created = options;
    this.settings = settings;
    mayReadFiles = settings.isEmpty() || settings.getOrDefault(ReadSetting.READ_TIER, 0L) != BLOCK_CACHE_TIER;
    LiveObjects.READ_OPTIONS.made();
    Reclaimer.whenUnreachableAtLeisure(this, WEIGHT, () -> destroy(created));
    HotCalls.setTotalOrderSeek(options.address(), (byte) 1); // for iterators: see RangeOptions
    for (var setting : settings.entrySet()) {
      if (setting.getKey() != ReadSetting.DEADLINE) { // a deadline starts with each read
        setting.getKey().apply(options, setting.getValue());
      }
    }
  }

  /** Sets the snapshot; the reader keeps it alive. */
  public NativeReadOptions withSnapshot(ReadPoint snapshot) {
    snapshot.setIn(options);
    point = snapshot;
    return this;
  }

  /** Notes the snapshot that these options already use, so that copies use it too. */
  public void copyAt(ReadPoint snapshot) {
    point = snapshot;
  }

  /** Copies the options for exclusive use by one read; called while the snapshot is kept. */
  NativeReadOptions copy() {
    NativeReadOptions copy = new NativeReadOptions(settings);
    return point == null ? copy : copy.withSnapshot(point);
  }

  /** Whether an iterator that asks for these settings and this snapshot can use these options. */
  boolean serve(Map<ReadSetting, Long> asked, ReadPoint at) {
    return at == point && !haveDeadline() && settings.equals(asked);
  }

  /** Whether reads have a deadline, so that each needs a copy of the options. */
  public boolean haveDeadline() {
    return !settings.isEmpty() && settings.containsKey(ReadSetting.DEADLINE);
  }

  /** Sets the deadline of a read that starts now; the caller uses these options exclusively. */
  void beginTime() {
    ReadSetting.DEADLINE.apply(options, settings.get(ReadSetting.DEADLINE));
  }

  private static void destroy(MemorySegment options) {
    HotCalls.destroyReadOptions(options.address());
    LiveObjects.READ_OPTIONS.freed();
  }

  public MemorySegment pointer() {
    return options;
  }
}
