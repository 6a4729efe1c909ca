/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** A block cache. Thread-safe. */
public final class NativeCache extends NativeShare {
  // The engine ends the process where it cannot map the cache's table, which grows with the capacity.
  private static final long MAX_HYPER_CLOCK = 1L << 40;

  private NativeCache(MemorySegment cache, String name) {
    super(cache, name, LiveObjects.BLOCK_CACHES);
  }

  public static NativeCache lru(long capacity) {
    NativeLibrary.load();
    return new NativeCache(RocksDbC.rocksdb_cache_create_lru(capacity), "LRU cache");
  }

  public static NativeCache hyperClock(long capacity) {
    if (capacity < 1 || capacity > MAX_HYPER_CLOCK) {
      throw new IllegalArgumentException(
          "capacity: " + capacity + " bytes, but a hyper clock cache has from 1 byte to " + MAX_HYPER_CLOCK);
    }
    NativeLibrary.load();
    return new NativeCache(RocksDbC.rocksdb_cache_create_hyper_clock(capacity, 0), "hyper clock cache");
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
