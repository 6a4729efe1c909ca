/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.ByteSize;

/**
 * The engine's estimate of a database's memory, by kind. Not included: the allocator's overhead, temporary memory of
 * iterators and callbacks, a row cache, and a separate blob cache.
 *
 * @param memtables all memtables, including flushed ones that an iterator retains
 * @param unflushedMemtables memtables that are not flushed yet
 * @param tableReaders indexes and filters of open tables outside of block caches
 * @param blockCaches the entries of the block caches of all families. A cache that families share counts once; a cache
 *     that databases share counts for each of them
 * @param pinnedInBlockCaches the entries of these caches that are in use and cannot be evicted
 * @param pinnedValues the values that the program has pinned, most of which are in blocks of these caches
 */
public record MemoryReport(
    ByteSize memtables,
    ByteSize unflushedMemtables,
    ByteSize tableReaders,
    ByteSize blockCaches,
    ByteSize pinnedInBlockCaches,
    ByteSize pinnedValues) {
  /** Refuses null. */
  public MemoryReport {
    requireNonNull(memtables, "memtables");
    requireNonNull(unflushedMemtables, "unflushedMemtables");
    requireNonNull(tableReaders, "tableReaders");
    requireNonNull(blockCaches, "blockCaches");
    requireNonNull(pinnedInBlockCaches, "pinnedInBlockCaches");
    requireNonNull(pinnedValues, "pinnedValues");
  }

  /**
   * Returns the memory of the kinds that do not overlap.
   *
   * @return memtables, table readers and block caches together
   */
  public ByteSize total() {
    return ByteSize.bytes(memtables.bytes() + tableReaders.bytes() + blockCaches.bytes());
  }
}
