/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeCache;

/**
 * A cache for rows that were read by key, which several databases may share: a cached row is found without reading its
 * table's blocks. It serves gets and multi-gets, including pinned ones, but no cursors or scans. Its owner closes it;
 * databases opened with it keep their share. Thread-safe.
 *
 * <p>A database with a row cache must have no range deletions, because RocksDB caches rows without checking them: it
 * refuses {@code deleteRange} with the code NOT_SUPPORTED, and this library refuses an opening or ingestion if ranges
 * may be deleted already.
 */
public final class RowCache extends SharedCache {
  private RowCache(NativeCache cache) {
    super(cache);
  }

  /**
   * Creates an LRU cache.
   *
   * @param capacity the maximum size of its entries
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static RowCache lru(ByteSize capacity) {
    return new RowCache(NativeCache.ofRows(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Creates an LRU cache of several shards, each with a lock.
   *
   * @param capacity the maximum size of its entries in all shards
   * @param shardBits the binary logarithm of the number of shards; at most 12
   * @return the cache, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if {@code shardBits} is out of range
   */
  public static RowCache lru(ByteSize capacity, int shardBits) {
    return new RowCache(NativeCache.ofRows(requireNonNull(capacity, "capacity").bytes(), shardBits));
  }
}
