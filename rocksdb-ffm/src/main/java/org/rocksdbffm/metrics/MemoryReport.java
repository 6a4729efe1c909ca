/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.ByteSize;

/**
 * The memory that a database uses, by kind, as the engine estimates it. Not counted: the allocator's own memory, memory
 * that iterators and callbacks use for a moment, a row cache, and a blob cache apart from the block cache.
 *
 * @param memtables all memtables, also those that are flushed and kept for an iterator
 * @param unflushedMemtables memtables that are not flushed yet
 * @param tableReaders indexes and filters of open tables that are not in a block cache
 * @param blockCaches the entries of the block caches of the database's families. A cache that families share counts once; one
 *     that databases share counts for each of them
 * @param pinnedInBlockCaches entries of these caches that are in use at the moment and cannot be evicted
 * @param pinnedValues values that the program has pinned, most of which are in blocks of the caches
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
   * The memory of the kinds that do not overlap.
   *
   * @return memtables, table readers and block caches together
   */
  public ByteSize total() {
    return ByteSize.bytes(memtables.bytes() + tableReaders.bytes() + blockCaches.bytes());
  }
}
