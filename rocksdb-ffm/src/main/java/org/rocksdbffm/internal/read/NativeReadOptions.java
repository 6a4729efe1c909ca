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

  /** The engine\'s number for reads that stay in memory. */
  private static final long BLOCK_CACHE_TIER = 1;

  private final MemorySegment options = RocksDbC.rocksdb_readoptions_create();
  private final Map<ReadSetting, Long> settings;
  final boolean mayReadFiles;
  private ReadMoment moment; // for copies; null for the latest state

  public NativeReadOptions(Map<ReadSetting, Long> settings) {
    MemorySegment created = options;
    this.settings = settings;
    mayReadFiles = settings.isEmpty() || settings.getOrDefault(ReadSetting.READ_TIER, 0L) != BLOCK_CACHE_TIER;
    LiveObjects.READ_OPTIONS.made();
    Reclaimer.whenUnreachableAtLeisure(this, WEIGHT, () -> destroy(created));
    RocksDbC.rocksdb_readoptions_set_total_order_seek(options, (byte) 1); // for iterators: see RangeOptions
    for (var setting : settings.entrySet()) {
      if (setting.getKey() != ReadSetting.DEADLINE) { // which begins with a read
        setting.getKey().apply(options, setting.getValue());
      }
    }
  }

  /** Reads at a snapshot; the reader guards it. */
  public NativeReadOptions withSnapshot(ReadMoment snapshot) {
    snapshot.setIn(options);
    moment = snapshot;
    return this;
  }

  /** Has copies read at a moment that these read at already. */
  public void copyAt(ReadMoment snapshot) {
    moment = snapshot;
  }

  /** The same options for a read that has them for itself; made while the snapshot is kept. */
  NativeReadOptions copy() {
    NativeReadOptions copy = new NativeReadOptions(settings);
    return moment == null ? copy : copy.withSnapshot(moment);
  }

  /** Whether an iterator can read under these options too: those that it asks for are the same. */
  boolean serve(Map<ReadSetting, Long> asked, ReadMoment at) {
    return at == moment && !haveDeadline() && settings.equals(asked);
  }

  /** Whether a read has a deadline, and so options of its own. */
  public boolean haveDeadline() {
    return !settings.isEmpty() && settings.containsKey(ReadSetting.DEADLINE);
  }

  /** Sets the deadline of a read that begins now, and has these options for itself. */
  void beginTime() {
    ReadSetting.DEADLINE.apply(options, settings.get(ReadSetting.DEADLINE));
  }

  private static void destroy(MemorySegment options) {
    RocksDbC.rocksdb_readoptions_destroy(options);
    LiveObjects.READ_OPTIONS.gone();
  }

  public MemorySegment pointer() {
    return options;
  }
}
