/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.internal.call.Call;

/** Estimates the size of ranges of keys. */
public final class Sizes {
  private Sizes() {}

  /** Returns the size of each range, which two consecutive slices bound. Returns 0 on a failure, as rocksdbjni does. */
  public static long[] ofRanges(long db, long family, long[] slices, byte flags) {
    int count = slices.length / 2;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment keys = arena.allocate(ValueLayout.JAVA_LONG, 4L * Math.max(1, count));
      for (int i = 0; i < slices.length; i++) {
        int bound = i % 2; // the C API takes four arrays: starts, ends, and the sizes of both
        keys.setAtIndex(ValueLayout.JAVA_LONG, (long) bound * count + i / 2, Slices.data(slices[i]));
        keys.setAtIndex(ValueLayout.JAVA_LONG, (2L + bound) * count + i / 2, Slices.length(slices[i]));
      }
      MemorySegment sizes = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
      long column = (long) count * Long.BYTES;
      Call call = Scratch.enter();
      try {
        rocksdb_approximate_sizes_cf_with_flags(
            Scratch.wrap(call, 0, db),
            Scratch.wrap(call, 2, StubReader.family(db, family)),
            count,
            keys.address(),
            keys.address() + 2 * column,
            keys.address() + column,
            keys.address() + 3 * column,
            flags,
            sizes.address(),
            Scratch.error(call));
        Scratch.ignore(call);
      } finally {
        call.exit();
      }
      return sizes.asSlice(0, column).toArray(ValueLayout.JAVA_LONG);
    }
  }

  private static native void rocksdb_approximate_sizes_cf_with_flags(
      long db,
      long family,
      int count,
      long starts,
      long startSizes,
      long limits,
      long limitSizes,
      byte flags,
      long sizes,
      long error);
}
