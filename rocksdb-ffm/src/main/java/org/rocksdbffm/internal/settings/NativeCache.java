/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.leak.TrackedResource;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * A block cache in the engine, which counts its users: closing gives up this share alone, and databases opened with it
 * keep theirs. Thread-safe.
 */
public final class NativeCache implements TrackedResource {
  // The engine ends the process where it cannot map the cache's table, which grows with the capacity.
  private static final long MAX_HYPER_CLOCK = 1L << 40;

  private final MemorySegment cache;
  private final Handle handle;
  private final AtomicBoolean destroyed = new AtomicBoolean();

  private NativeCache(MemorySegment cache, String name) {
    this.cache = cache;
    this.handle = new Handle(name);
    LiveObjects.BLOCK_CACHES.made();
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

  /** Keeps the cache open until the call is left. */
  Call enter() {
    return Call.enter(handle);
  }

  MemorySegment pointer() {
    return cache;
  }

  private long ask(ToLongFunction<MemorySegment> question) {
    Call call = enter();
    try {
      return question.applyAsLong(cache);
    } finally {
      call.exit();
    }
  }

  public long capacity() {
    return ask(RocksDbC::rocksdb_cache_get_capacity);
  }

  public void setCapacity(long capacity) {
    Call call = enter();
    try {
      RocksDbC.rocksdb_cache_set_capacity(cache, capacity);
    } finally {
      call.exit();
    }
  }

  public long usage() {
    return ask(RocksDbC::rocksdb_cache_get_usage);
  }

  public long pinnedUsage() {
    return ask(RocksDbC::rocksdb_cache_get_pinned_usage);
  }

  @Override
  public String name() {
    return handle.name();
  }

  @Override
  public boolean isClosed() {
    return handle.isClosed();
  }

  @Override
  public void closeForgotten() {
    close();
  }

  public void close() {
    handle.close();
    if (destroyed.compareAndSet(false, true)) {
      RocksDbC.rocksdb_cache_destroy(cache);
      LiveObjects.BLOCK_CACHES.gone();
    }
  }
}
