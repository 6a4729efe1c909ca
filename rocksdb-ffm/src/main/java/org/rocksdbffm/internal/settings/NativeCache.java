/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** A RocksDB cache, for blocks and blobs, or for rows. Thread-safe. */
public sealed class NativeCache extends NativeShare permits NativeBudget {
  // RocksDB ends the process if it cannot map the cache's table, which grows with the capacity.
  private static final long MAX_HYPER_CLOCK = 1L << 40;

  // RocksDB fails to create a cache of 20 or more bits, and crashes at its first use; each shard needs memory.
  private static final int MAX_SHARD_BITS = 12;

  // A table of fixed size is allocated immediately, and RocksDB ends the process if there is no memory for it.
  private static final long LEAST_ENTRY = 256;
  private static final long MOST_ENTRY = 1L << 30;
  private static final long MOST_ENTRIES = 1L << 24;

  NativeCache(MemorySegment cache, String name, LiveObjects kind) {
    super(cache, name, kind);
  }

  public static NativeCache lru(long capacity) {
    NativeLibrary.load();
    return ofBlocks(RocksDbC.rocksdb_cache_create_lru(capacity), "LRU cache");
  }

  public static NativeCache lru(long capacity, int shardBits) {
    return ofBlocks(sharded(capacity, shardBits), "LRU cache");
  }

  /** Returns a cache that refuses entries when it is full. */
  public static NativeCache strictLru(long capacity) {
    NativeLibrary.load();
    return ofBlocks(RocksDbC.rocksdb_cache_create_lru_with_strict_capacity_limit(capacity), "strict LRU cache");
  }

  public static NativeCache hyperClock(long capacity) {
    requireCapacity(capacity);
    NativeLibrary.load();
    return ofBlocks(RocksDbC.rocksdb_cache_create_hyper_clock(capacity, 0), "hyper clock cache");
  }

  /** Returns a cache whose table has a fixed size. */
  public static NativeCache hyperClock(long capacity, long entry) {
    requireEntry(capacity, entry);
    NativeLibrary.load();
    return ofBlocks(RocksDbC.rocksdb_cache_create_hyper_clock(capacity, entry), "hyper clock cache");
  }

  public static NativeCache hyperClock(long capacity, long entry, int shardBits) {
    requireEntry(capacity, entry);
    requireShardBits(shardBits);
    NativeLibrary.load();
    MemorySegment options = RocksDbC.rocksdb_hyper_clock_cache_options_create(capacity, entry);
    try {
      RocksDbC.rocksdb_hyper_clock_cache_options_set_num_shard_bits(options, shardBits);
      return ofBlocks(RocksDbC.rocksdb_cache_create_hyper_clock_opts(options), "hyper clock cache");
    } finally {
      RocksDbC.rocksdb_hyper_clock_cache_options_destroy(options);
    }
  }

  /** Returns a row cache: an LRU one, because hyper clock caches need keys of one size and would leak rows. */
  public static NativeCache ofRows(long capacity) {
    NativeLibrary.load();
    return new NativeCache(RocksDbC.rocksdb_cache_create_lru(capacity), "row cache", LiveObjects.ROW_CACHES);
  }

  public static NativeCache ofRows(long capacity, int shardBits) {
    return new NativeCache(sharded(capacity, shardBits), "row cache", LiveObjects.ROW_CACHES);
  }

  private static NativeCache ofBlocks(MemorySegment cache, String name) {
    return new NativeCache(cache, name, LiveObjects.BLOCK_CACHES);
  }

  static MemorySegment sharded(long capacity, int shardBits) {
    requireShardBits(shardBits);
    NativeLibrary.load();
    MemorySegment options = RocksDbC.rocksdb_lru_cache_options_create();
    try {
      RocksDbC.rocksdb_lru_cache_options_set_capacity(options, capacity);
      RocksDbC.rocksdb_lru_cache_options_set_num_shard_bits(options, shardBits);
      return RocksDbC.rocksdb_cache_create_lru_opts(options);
    } finally {
      RocksDbC.rocksdb_lru_cache_options_destroy(options);
    }
  }

  private static void requireCapacity(long capacity) {
    if (capacity < 1 || capacity > MAX_HYPER_CLOCK) {
      throw new IllegalArgumentException(
          "capacity: " + capacity + " bytes, but a hyper clock cache has from 1 byte to " + MAX_HYPER_CLOCK);
    }
  }

  private static void requireEntry(long capacity, long entry) {
    requireCapacity(capacity);
    if (entry < LEAST_ENTRY || entry > MOST_ENTRY) {
      throw new IllegalArgumentException(
          "entry: " + entry + " bytes, but one is expected to have from " + LEAST_ENTRY + " bytes to " + MOST_ENTRY);
    }
    if (capacity / entry > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "entry: " + entry + " bytes make " + capacity / entry + " entries, but the cache has room for " + MOST_ENTRIES
              + ": name a larger size, or none");
    }
  }

  private static void requireShardBits(int bits) {
    if (bits < 0 || bits > MAX_SHARD_BITS) {
      throw new IllegalArgumentException("shardBits: " + bits + ", but they are from 0 to " + MAX_SHARD_BITS);
    }
  }

  public long capacity() {
    return ask(RocksDbC::rocksdb_cache_get_capacity);
  }

  public void setCapacity(long capacity) {
    use(cache -> RocksDbC.rocksdb_cache_set_capacity(cache, capacity));
  }

  public long usage() {
    return ask(RocksDbC::rocksdb_cache_get_usage);
  }

  public long pinnedUsage() {
    return ask(RocksDbC::rocksdb_cache_get_pinned_usage);
  }

  @Override
  void destroy(MemorySegment cache) {
    RocksDbC.rocksdb_cache_destroy(cache);
  }
}
