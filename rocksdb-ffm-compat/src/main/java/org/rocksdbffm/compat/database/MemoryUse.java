/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.HashMap;
import java.util.Map;
import org.rocksdb.MemoryUsageType;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Calls;

/** Adds up the memory that databases and caches use. */
public final class MemoryUse {
  private MemoryUse() {}

  public static Map<Byte, Long> byType(long[] databases, long[] caches) {
    long consumers = rocksdb_memory_consumers_create();
    try (Calls calls = new Calls()) {
      for (long db : databases) {
        // A separate call keeps each struct until the end, when the engine reads all of them.
        Call call = calls.enter(Scratch::enter);
        rocksdb_memory_consumers_add_db(consumers, Scratch.wrap(call, 0, db));
      }
      for (long cache : caches) {
        rocksdb_memory_consumers_add_cache(consumers, cache);
      }
      return sums(consumers, databases.length > 0, caches.length > 0);
    } finally {
      rocksdb_memory_consumers_destroy(consumers);
    }
  }

  /** Returns the sums by type, without types for which there are no databases or no caches. */
  private static Map<Byte, Long> sums(long consumers, boolean ofDatabases, boolean ofCaches) {
    Call call = Scratch.enter();
    try {
      long usage = rocksdb_approximate_memory_usage_create(consumers, Scratch.error(call));
      Map<Byte, Long> sums = new HashMap<>();
      if (ofDatabases) {
        sums.put(
            MemoryUsageType.kMemTableTotal.getValue(), rocksdb_approximate_memory_usage_get_mem_table_total(usage));
        sums.put(
            MemoryUsageType.kMemTableUnFlushed.getValue(),
            rocksdb_approximate_memory_usage_get_mem_table_unflushed(usage));
        sums.put(
            MemoryUsageType.kTableReadersTotal.getValue(),
            rocksdb_approximate_memory_usage_get_mem_table_readers_total(usage));
      }
      if (ofCaches) {
        sums.put(MemoryUsageType.kCacheTotal.getValue(), rocksdb_approximate_memory_usage_get_cache_total(usage));
      }
      rocksdb_approximate_memory_usage_destroy(usage);
      return sums;
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_memory_consumers_create();

  private static native void rocksdb_memory_consumers_destroy(long consumers);

  private static native void rocksdb_memory_consumers_add_db(long consumers, long db);

  private static native void rocksdb_memory_consumers_add_cache(long consumers, long cache);

  private static native long rocksdb_approximate_memory_usage_create(long consumers, long error);

  private static native void rocksdb_approximate_memory_usage_destroy(long usage);

  private static native long rocksdb_approximate_memory_usage_get_mem_table_total(long usage);

  private static native long rocksdb_approximate_memory_usage_get_mem_table_unflushed(long usage);

  private static native long rocksdb_approximate_memory_usage_get_mem_table_readers_total(long usage);

  private static native long rocksdb_approximate_memory_usage_get_cache_total(long usage);
}
