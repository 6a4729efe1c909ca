/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.db.ReadMoment;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.ReadSetting;

/** The read options of one iterator, with the bounds of its range. The iterator owns them, and frees them last. */
public final class RangeOptions {
  private final MemorySegment options;

  /** Both bounds, which the engine borrows for as long as the iterator lives. */
  private final MemorySegment bounds;

  /**
   * Makes options of their own.
   *
   * @param snapshot may be null
   * @param lower the first key of the range, or null
   * @param upper the first key behind the range, or null
   * @param byPrefix whether files may be skipped by the prefixes of their keys: {@code auto_prefix_mode}
   */
  public RangeOptions(
      Map<ReadSetting, Long> settings, ReadMoment snapshot, byte[] lower, byte[] upper, boolean byPrefix) {
    long lowerSize = lower == null ? 0 : lower.length;
    long upperSize = upper == null ? 0 : upper.length;
    bounds = Memory.allocate(lowerSize + upperSize);
    options = RocksDbC.rocksdb_readoptions_create();
    try {
      settings.forEach((setting, value) -> setting.apply(options, value));
      if (byPrefix) {
        RocksDbC.rocksdb_readoptions_set_auto_prefix_mode(options, (byte) 1);
      } else {
        RocksDbC.rocksdb_readoptions_set_total_order_seek(options, (byte) 1);
      }
      if (lower != null) {
        MemorySegment bytes = bounds.asSlice(0, lowerSize).copyFrom(MemorySegment.ofArray(lower));
        HotCalls.setLowerBound(options.address(), bytes.address(), lowerSize);
      }
      if (upper != null) {
        MemorySegment bytes = bounds.asSlice(lowerSize).copyFrom(MemorySegment.ofArray(upper));
        HotCalls.setUpperBound(options.address(), bytes.address(), upperSize);
      }
      if (snapshot != null) {
        snapshot.setIn(options);
      }
    } catch (Throwable e) {
      free();
      throw e;
    }
  }

  public MemorySegment pointer() {
    return options;
  }

  public void free() {
    RocksDbC.rocksdb_readoptions_destroy(options);
    Memory.free(bounds);
  }
}
