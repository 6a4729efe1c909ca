/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.util.List;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.metrics.MemoryUse;

/**
 * The memory that a database uses, by kind, in bytes. The engine's own estimates: what the allocator keeps beside it, and
 * what iterators and callbacks need for a moment, is not among them; nor are a row cache, and a cache for blobs apart from that
 * of blocks, which tell how much they have by themselves.
 *
 * @param memtables all memtables, those included that are flushed and kept for an iterator
 * @param unflushedMemtables those of them that are not flushed yet
 * @param tableReaders indexes and filters of open tables that are not in a block cache
 * @param blockCaches what the block caches of the database's families have; a cache that families share counts once, and
 *     one that databases share counts for each of them
 * @param pinnedInBlockCaches what of that is in use at the moment, and cannot be evicted
 * @param pinnedValues the values that are pinned by the program, most of which are in blocks of the caches
 */
public record MemoryReport(
    long memtables, long unflushedMemtables, long tableReaders, long blockCaches, long pinnedInBlockCaches, long pinnedValues) {

  static MemoryReport of(List<NativeFamily> families, long pinnedValues) {
    MemoryUse use = MemoryUse.of(families);
    return new MemoryReport(
        use.memtables(), use.unflushed(), use.tableReaders(), use.caches(), use.pinnedInCaches(), pinnedValues);
  }

  /**
   * The memory of the kinds that do not overlap.
   *
   * @return memtables, table readers and block caches together
   */
  public long total() {
    return memtables + tableReaders + blockCaches;
  }
}
