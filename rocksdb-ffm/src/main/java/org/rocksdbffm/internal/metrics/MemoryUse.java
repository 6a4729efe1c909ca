/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.internal.db.NativeFamily;

/** The engine's properties about memory, added up over families; a block cache that families share counts once. */
public record MemoryUse(long memtables, long unflushed, long tableReaders, long caches, long pinnedInCaches) {
  /** Asks the engine; a family that another thread closes meanwhile counts as far as it was asked. */
  public static MemoryUse of(List<NativeFamily> families) {
    Set<Object> counted = new HashSet<>();
    MemoryUse sum = new MemoryUse(0, 0, 0, 0, 0);
    for (NativeFamily family : families) {
      sum = sum.with(family, counted.add(family.cacheIdentity()));
    }
    return sum;
  }

  private MemoryUse with(NativeFamily family, boolean itsCache) {
    return new MemoryUse(
        memtables + ask(family, "rocksdb.size-all-mem-tables"),
        unflushed + ask(family, "rocksdb.cur-size-all-mem-tables"),
        tableReaders + ask(family, "rocksdb.estimate-table-readers-mem"),
        caches + (itsCache ? ask(family, "rocksdb.block-cache-usage") : 0),
        pinnedInCaches + (itsCache ? ask(family, "rocksdb.block-cache-pinned-usage") : 0));
  }

  /** Nothing where there is no such thing, as a table format without a block cache has none. */
  private static long ask(NativeFamily family, String property) {
    try {
      return family.longProperty(property).orElse(0);
    } catch (IllegalStateException closed) {
      family.database().requireOpen();
      return 0;
    }
  }
}
