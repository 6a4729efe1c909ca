/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.read;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.ReadSetting;

/**
 * The read options of an iterator: the path's, or separate ones with the range's bounds if the path's do not suffice.
 * Owned by the iterator, and freed after it.
 *
 * @param shared the path's options; null for separate ones
 * @param options the engine's options
 * @param bounds memory of the range's bounds
 */
public record RangeOptions(NativeReadOptions shared, MemorySegment options, MemorySegment bounds) {
  /**
   * Returns the options for a range of the path's keys.
   *
   * @param snapshot may be null
   * @param lower the first key of the range, or null
   * @param upper the exclusive upper bound, or null
   * @param byPrefix whether RocksDB may use prefix filters: {@code auto_prefix_mode}
   */
  public static RangeOptions of(
      ReadPath path,
      Map<ReadSetting, Long> settings,
      ReadPoint snapshot,
      byte[] lower,
      byte[] upper,
      boolean byPrefix) {
    if (lower == null && upper == null && !byPrefix && path.options().serve(settings, snapshot)) {
      return new RangeOptions(path.options(), path.options().pointer(), MemorySegment.NULL);
    }
    long lowerSize = lower == null ? 0 : lower.length;
    long upperSize = upper == null ? 0 : upper.length;
    RangeOptions own =
        new RangeOptions(
            null, Memory.atAddress(HotCalls.createReadOptions()), Memory.allocate(lowerSize + upperSize));
    try {
      own.set(settings, snapshot, byPrefix);
      if (lower != null) {
        MemorySegment bytes = own.bounds.asSlice(0, lowerSize).copyFrom(MemorySegment.ofArray(lower));
        HotCalls.setLowerBound(own.options.address(), bytes.address(), lowerSize);
      }
      if (upper != null) {
        MemorySegment bytes = own.bounds.asSlice(lowerSize).copyFrom(MemorySegment.ofArray(upper));
        HotCalls.setUpperBound(own.options.address(), bytes.address(), upperSize);
      }
    } catch (Throwable e) {
      own.free();
      throw e;
    }
    return own;
  }

  private void set(Map<ReadSetting, Long> settings, ReadPoint snapshot, boolean byPrefix) {
    settings.forEach((setting, value) -> setting.apply(options, value));
    if (byPrefix) {
      RocksDbC.rocksdb_readoptions_set_auto_prefix_mode(options, (byte) 1);
    } else {
      HotCalls.setTotalOrderSeek(options.address(), (byte) 1);
    }
    if (snapshot != null) {
      snapshot.setIn(options);
    }
  }

  public MemorySegment pointer() {
    return options;
  }

  public void free() {
    if (shared == null) {
      HotCalls.destroyReadOptions(options.address());
      Memory.free(bounds);
    }
    Reference.reachabilityFence(shared);
  }
}
