/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.ReadPoint;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.foreign.TableCalls;
import org.rocksdbffm.internal.loader.NativeLibraryError;
import org.rocksdbffm.internal.read.RangeOptions;
import org.rocksdbffm.internal.read.ReadPath;
import org.rocksdbffm.internal.settings.ReadSetting;
import org.rocksdbffm.internal.transaction.NativeOverlay;

/**
 * Reads the blocks of many ranges into the block cache, with fewer and larger reads than a scan of each range. Only an
 * optimization: reads nothing if the engine or the options do not allow it.
 */
public final class RangePrefetch {
  private static final String CACHE = "rocksdb.block-cache-capacity";
  private static final int PART_OF_CACHE = 4;
  private static final long SLICE = 2 * Long.BYTES;

  /** A range with both ends; {@code upper} is exclusive. */
  public record Ends(byte[] lower, byte[] upper) {}

  private RangePrefetch() {}

  /** Reads the blocks of ranges, in any order. */
  public static void read(ReadPath path, Map<ReadSetting, Long> settings, ReadPoint snapshot, List<Ends> ranges) {
    StackRoom.require();
    List<Ends> sorted = apart(ranges);
    long most = path.family().longProperty(CACHE).orElse(0) / PART_OF_CACHE;
    if (sorted.size() < 2 || most == 0 || path.parent() instanceof NativeOverlay || !allow(path, settings)) {
      return;
    }
    try (Call _ = path.enter();
        Arena arena = Arena.ofConfined()) {
      RangeOptions options = RangeOptions.of(path, settings, snapshot, null, sorted.getFirst().upper, false);
      NativeIterator iterator = NativeIterator.open(path, options, 0);
      try {
        MemorySegment all = of(sorted, most, arena);
        long family = path.family().pointer().address();
        TableCalls.prefetch(iterator.pointer().address(), options.pointer().address(), family, all.address());
      } finally {
        iterator.destroy(); // releases the blocks
      }
    } catch (NativeLibraryError missing) {
      return; // the C++ stubs are optional
    }
  }

  private static boolean allow(ReadPath path, Map<ReadSetting, Long> settings) {
    return path.family().rules().isOrderedByBytes()
        && settings.getOrDefault(ReadSetting.FILL_CACHE, 1L) != 0
        && settings.getOrDefault(ReadSetting.READ_TIER, 0L) == 0;
  }

  /** Returns the ranges in order, without empty ranges and ranges that overlap a preceding one. */
  private static List<Ends> apart(List<Ends> ranges) {
    List<Ends> apart = new ArrayList<>();
    byte[] end = {};
    for (Ends range : ranges.stream().sorted(Comparator.comparing(Ends::lower, Arrays::compareUnsigned)).toList()) {
      if (Arrays.compareUnsigned(end, range.lower) <= 0 && Arrays.compareUnsigned(range.lower, range.upper) < 0) {
        apart.add(range);
        end = range.upper;
      }
    }
    return apart;
  }

  /** Returns a {@code rocksdb_ffm_cxx_ranges}. */
  private static MemorySegment of(List<Ends> ranges, long most, Arena arena) {
    MemorySegment slices = arena.allocate(ranges.size() * 2 * SLICE, Long.BYTES);
    long at = 0;
    for (Ends range : ranges) {
      at = put(slices, at, range.lower, arena);
      at = put(slices, at, range.upper, arena);
    }
    MemorySegment all = arena.allocate(3 * Long.BYTES, Long.BYTES);
    Memory.point(all, 0, slices);
    all.set(ValueLayout.JAVA_LONG, Long.BYTES, ranges.size());
    all.set(ValueLayout.JAVA_LONG, 2 * Long.BYTES, most);
    return all;
  }

  private static long put(MemorySegment slices, long at, byte[] key, Arena arena) {
    Memory.point(slices, at, Memory.string(key, arena));
    slices.set(ValueLayout.JAVA_LONG, at + Long.BYTES, key.length);
    return at + SLICE;
  }
}
