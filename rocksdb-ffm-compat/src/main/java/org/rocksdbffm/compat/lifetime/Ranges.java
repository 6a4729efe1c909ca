/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.rocksdb.Range;
import org.rocksdb.Slice;

/** The slices that bound upstream's ranges, which keep them to their package. */
final class Ranges {
  private static final VarHandle START;
  private static final VarHandle LIMIT;

  static {
    try {
      var lookup = MethodHandles.privateLookupIn(Range.class, MethodHandles.lookup());
      START = lookup.findVarHandle(Range.class, "start", Slice.class);
      LIMIT = lookup.findVarHandle(Range.class, "limit", Slice.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Ranges() {}

  static List<Slice> bounds(Range range) {
    return List.of((Slice) START.get(range), (Slice) LIMIT.get(range));
  }
}
