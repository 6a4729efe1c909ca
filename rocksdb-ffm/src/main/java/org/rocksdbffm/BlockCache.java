/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import org.rocksdbffm.internal.settings.NativeCache;

/**
 * Memory for blocks of files, and for blobs, which several databases may share. Its owner closes it; databases opened with
 * it keep their share. Thread-safe.
 */
public final class BlockCache extends SharedCache {
  private BlockCache(NativeCache cache) {
    super(cache);
  }

  /**
   * Makes a cache that drops what was used least recently.
   *
   * @param capacity how much it holds
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache lru(ByteSize capacity) {
    return new BlockCache(NativeCache.lru(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Makes such a cache of parts, each with a lock of its own.
   *
   * @param capacity how much it holds, in all parts together
   * @param shardBits 0 for one part, 1 for two, 2 for four, and so on; at most 12
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache lru(ByteSize capacity, int shardBits) {
    return new BlockCache(NativeCache.lru(requireNonNull(capacity, "capacity").bytes(), shardBits));
  }

  /**
   * Makes a cache that never holds more than its capacity. Where all of that is in use, by pinned values and cursors, or
   * by indexes that are cached, reads of other blocks fail with the subcode MEMORY_LIMIT until some of it is let go. With
   * {@link TableOptions#cacheIndexAndFilterBlocks} a flush fails too, and so do writes until the database is opened again; a
   * {@link MemoryBudget} refuses pins instead.
   *
   * @param capacity how much it holds, strictly
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache strictLru(ByteSize capacity) {
    return new BlockCache(NativeCache.strictLru(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Makes a cache without locks, for many threads.
   *
   * @param capacity how much it holds; from 1 byte to 1024 GiB
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache hyperClock(ByteSize capacity) {
    return new BlockCache(NativeCache.hyperClock(requireNonNull(capacity, "capacity").bytes()));
  }

  /**
   * Makes a cache without locks whose table has its size from the start, which is faster still where the guess is right.
   *
   * @param capacity how much it holds; from 1 byte to 1024 GiB
   * @param entry how large a block is on average, as it is in the cache: from 256 bytes to 1 GiB, rather too small than
   *     too large; the capacity is at most 2<sup>24</sup> times as much
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache hyperClock(ByteSize capacity, ByteSize entry) {
    return new BlockCache(
        NativeCache.hyperClock(requireNonNull(capacity, "capacity").bytes(), requireNonNull(entry, "entry").bytes()));
  }

  /**
   * Makes such a cache of parts.
   *
   * @param capacity how much it holds, in all parts together; from 1 byte to 1024 GiB
   * @param entry how large a block is on average
   * @param shardBits 0 for one part, 1 for two, 2 for four, and so on; at most 12
   * @return the cache, which the caller <em>owns</em> and must close
   */
  public static BlockCache hyperClock(ByteSize capacity, ByteSize entry, int shardBits) {
    return new BlockCache(
        NativeCache.hyperClock(
            requireNonNull(capacity, "capacity").bytes(), requireNonNull(entry, "entry").bytes(), shardBits));
  }
}
