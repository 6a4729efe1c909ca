/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.rocksdbffm.internal.foreign.Memory;

/** Rejects combinations of arguments that are valid individually, and arguments that depend on other state. */
public final class Limits {
  private static final long MICROS = 1_000_000;

  /** The engine's auto-tuning reduces a rate down to one twentieth. */
  private static final int TUNED_DOWN = 20;

  /**
   * The entry size in bytes that the engine assumes without an estimate; the next constant is the size of its metadata
   * for each entry.
   */
  private static final long SMALLEST_ENTRY = 270;

  private static final long NOTES_OF_ENTRY = 64;
  private static final double ENTRIES_PER_SLOT = 1e6;

  /** The smallest batch in bytes: a sequence number and a count. */
  private static final int BATCH_HEADER = 12;

  private static final byte LOW = 1;
  private static final byte HIGH = 2;
  private static final byte POOLS = 3;
  private static final int MANY_THREADS = 100;
  private static final byte COMPACTION = 1;
  private static final byte FLUSH = 2;
  private static final int COMPACTION_PROPERTIES = 6;
  private static final int FLUSH_PROPERTIES = 3;

  private Limits() {}

  /**
   * Checks a pool's size: without threads in the LOW pool, compactions wait forever, and so do flushes if the HIGH pool
   * has none, and writes that wait for flushes.
   */
  public static void backgroundThreads(long env, int number, byte priority) {
    judge("Env", "background_threads", number <= 0 && priority == LOW ? "none-of-low-priority" : "some");
    judge("Env", "flush_threads", number <= 0 && priority == HIGH ? "none" : "some");
    moreBackgroundThreads(env, number, priority);
  }

  /** Checks the total number of threads, because the engine ends the process if it cannot start a thread. */
  public static void moreBackgroundThreads(long env, int number, byte priority) {
    long all = number;
    for (byte pool = 0; pool < POOLS; pool++) {
      int others = pool == priority ? 0 : Java_org_rocksdb_Env_getBackgroundThreads(env, pool);
      all += others < MANY_THREADS ? 0 : others; // every process has a few threads
    }
    judge("Env", "background_threads", Long.toString(all));
  }

  /**
   * Throws unless the engine has created the cache. For some arguments the engine creates no cache, and reading its
   * state would end the process.
   */
  public static void cacheToAsk(long cache) {
    judge("Cache", "made", Memory.longAt(cache) == 0 ? "none" : "some");
  }

  public static void cachesToAsk(long[] databases, long[] caches) {
    Arrays.stream(caches).forEach(Limits::cacheToAsk);
  }

  /**
   * Checks the memory for the cache's table, which is allocated at creation: the engine ends the process if it fails.
   */
  public static void hyperClockCache(long capacity, long entryCharge, int shardBits, boolean strict) {
    long entry = NOTES_OF_ENTRY + (entryCharge == 0 ? SMALLEST_ENTRY : entryCharge / 2);
    double table = (double) capacity / entry * NOTES_OF_ENTRY;
    long memory =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class).getTotalMemorySize();
    boolean fits = table <= memory / 2.0 && hasRoomForAnEntry(capacity, entryCharge, Math.max(shardBits, 0));
    judge("HyperClockCache", "table", capacity > 0 && entryCharge >= 0 && fits ? "fits" : capacity + "/" + entryCharge);
  }

  /**
   * Whether a shard's table has a slot. With less than a millionth of an entry it has none, and the engine allocates
   * endlessly.
   */
  private static boolean hasRoomForAnEntry(long capacity, long entryCharge, int shardBits) {
    double shard = Math.ceil((double) capacity / (1L << shardBits));
    return entryCharge <= 0 || shard * ENTRIES_PER_SLOT >= (double) entryCharge + NOTES_OF_ENTRY;
  }

  /** Checks that each refill period grants at least one byte: otherwise the engine waits forever. */
  public static void rateLimiter(long bytesPerSecond, long refillMicros, int fairness, byte mode, boolean tunes) {
    long slowest = tunes ? bytesPerSecond / TUNED_DOWN : bytesPerSecond;
    boolean grants = slowest < 0 || slowest > 0 && refillMicros >= (MICROS + slowest - 1) / slowest;
    judge("RateLimiter", "bytes_per_period", grants && refillMicros > 0 ? "some" : bytesPerSecond + "/" + refillMicros);
  }

  public static void bytesPerSecond(long limiter, long bytesPerSecond) {
    double now = Java_org_rocksdb_RateLimiter_getBytesPerSecond(limiter);
    double burst = Java_org_rocksdb_RateLimiter_getSingleBurstBytes(limiter) * (bytesPerSecond / now);
    judge("RateLimiter", "bytes_per_period", bytesPerSecond < 0 || burst >= 1 ? "some" : bytesPerSecond + "/" + burst);
  }

  private static void judge(String scope, String name, String value) {
    Settings.option(0, scope, name, value);
  }

  /** Requires all properties of an operation, because the engine reads a fixed number of them. */
  public static void operationProperties(byte operation, long[] properties) {
    int most =
        switch (operation) {
          case COMPACTION -> COMPACTION_PROPERTIES;
          case FLUSH -> FLUSH_PROPERTIES;
          default -> 0;
        };
    if (properties.length < most) {
      throw new IllegalArgumentException(
          "operationProperties: " + properties.length + " of an operation that has " + most);
    }
  }

  public static void serializedBatch(byte[] serialized, int length) {
    if (length < BATCH_HEADER) {
      throw new IllegalArgumentException(
          "serialized: %d bytes are no batch, which has %d at least".formatted(length, BATCH_HEADER));
    }
  }

  private static native int Java_org_rocksdb_Env_getBackgroundThreads(long env, byte priority);

  private static native long Java_org_rocksdb_RateLimiter_getBytesPerSecond(long limiter);

  private static native long Java_org_rocksdb_RateLimiter_getSingleBurstBytes(long limiter);
}
