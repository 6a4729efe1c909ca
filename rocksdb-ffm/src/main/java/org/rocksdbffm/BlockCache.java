/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeCache;

/**
 * A cache for blocks, and for blobs, which several databases may share. Its owner closes it; databases opened with it
 * keep their share. Thread-safe.
 */
public final class BlockCache extends SharedCache {
  private BlockCache(NativeCache cache) {
    super(cache);
  }

  /**
   * Creates an LRU cache.
   *
   * @param capacity the maximum size of its entries
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache lru(ByteSize capacity) {
    return new BlockCache(NativeCache.lru(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Creates an LRU cache of several shards, each with a lock.
   *
   * @param capacity the maximum size of its entries in all shards
   * @param shardBits the binary logarithm of the number of shards; at most 12
   * @return the cache, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static BlockCache lru(ByteSize capacity, int shardBits) {
    return new BlockCache(NativeCache.lru(requireNonNull(capacity, "capacity").bytes(), shardBits));
  }

  /**
   * Creates an LRU cache that never exceeds its capacity. If all of it is in use, by pinned values, cursors or cached
   * indexes, reads of other blocks fail with the subcode MEMORY_LIMIT until entries are released. With {@link
   * TableOptions#cacheIndexAndFilterBlocks} a flush fails too, and then all writes until the database is opened again.
   * A {@link MemoryBudget} refuses pins instead.
   *
   * @param capacity the maximum size of its entries
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache strictLru(ByteSize capacity) {
    return new BlockCache(NativeCache.strictLru(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Creates a cache without locks, for many threads.
   *
   * @param capacity the maximum size of its entries; from 1 byte to 1024 GiB
   * @return the cache, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static BlockCache hyperClock(ByteSize capacity) {
    return new BlockCache(NativeCache.hyperClock(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Creates a cache without locks whose table has a fixed size, which is faster if {@code entry} is a good estimate.
   *
   * @param capacity the maximum size of its entries; from 1 byte to 1024 GiB
   * @param entry the average size of a cached block: from 256 bytes to 1 GiB, better too small than too large; the
   *     capacity is at most 2<sup>24</sup> times as much
   * @return the cache, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static BlockCache hyperClock(ByteSize capacity, ByteSize entry) {
    return new BlockCache(
        NativeCache.hyperClock(requireNonNull(capacity, "capacity").bytes(), requireNonNull(entry, "entry").bytes()));
  }

  /**
   * Creates a cache without locks of several shards.
   *
   * @param capacity the maximum size of its entries in all shards; from 1 byte to 1024 GiB
   * @param entry the average size of a cached block
   * @param shardBits the binary logarithm of the number of shards; at most 12
   * @return the cache, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static BlockCache hyperClock(ByteSize capacity, ByteSize entry, int shardBits) {
    return new BlockCache(
        NativeCache.hyperClock(
            requireNonNull(capacity, "capacity").bytes(), requireNonNull(entry, "entry").bytes(), shardBits));
  }
}
