/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * A block cache. The engine counts who uses it: closing gives up this share alone, and databases opened
 * with it keep theirs. Thread-safe.
 */
public final class NativeCache {
  private final MemorySegment cache;
  private final Handle handle;
  private final AtomicBoolean destroyed = new AtomicBoolean();

  private NativeCache(MemorySegment cache, String name) {
    this.cache = cache;
    this.handle = new Handle(name);
  }

  public static NativeCache lru(long capacity) {
    NativeLibrary.load();
    return new NativeCache(RocksDbC.rocksdb_cache_create_lru(capacity), "LRU cache");
  }

  public static NativeCache hyperClock(long capacity) {
    NativeLibrary.load();
    return new NativeCache(RocksDbC.rocksdb_cache_create_hyper_clock(capacity, 0), "hyper clock cache");
  }

  void use(Consumer<MemorySegment> use) {
    Call call = Call.enter(handle);
    try {
      use.accept(cache);
    } finally {
      call.exit();
    }
  }

  private long ask(ToLongFunction<MemorySegment> question) {
    Call call = Call.enter(handle);
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
    use(pointer -> RocksDbC.rocksdb_cache_set_capacity(pointer, capacity));
  }

  public long usage() {
    return ask(RocksDbC::rocksdb_cache_get_usage);
  }

  public long pinnedUsage() {
    return ask(RocksDbC::rocksdb_cache_get_pinned_usage);
  }

  public void close() {
    handle.close();
    if (destroyed.compareAndSet(false, true)) {
      RocksDbC.rocksdb_cache_destroy(cache);
    }
  }
}
