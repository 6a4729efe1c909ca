/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.MemorySegment;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.leak.LiveObjects;
import org.rocksdbffm.internal.loader.NativeLibrary;

/** Limits the bytes per second of flushes and compactions. Thread-safe. */
public final class NativeRateLimiter extends NativeShare {
  private final boolean tunes;

  private NativeRateLimiter(MemorySegment limiter, boolean tunes) {
    super(limiter, "rate limiter", LiveObjects.RATE_LIMITERS);
    this.tunes = tunes;
  }

  /**
   * Creates a rate limiter. The caller has checked the arguments.
   *
   * @param mode RocksDB's number of the mode: reads, writes or both
   */
  public static NativeRateLimiter of(long rate, long refillMicros, int fairness, int mode, boolean tunes) {
    NativeLibrary.load();
    return new NativeRateLimiter(
        RocksDbC.rocksdb_ratelimiter_create_with_mode(rate, refillMicros, fairness, mode, tunes), tunes);
  }

  public boolean tunes() {
    return tunes;
  }

  /** Builds of the engine may lack functions outside of the C API. */
  private static void requireFunctions() {
    if (!NativeLibrary.has("Java_org_rocksdb_RateLimiter_getBytesPerSecond")) {
      throw new UnsupportedOperationException(
          NativeLibrary.engine() + " has no function to ask or change a rate limiter: the engine of rocksdb-ffm-native has");
    }
  }

  /** Makes backup options limit backups and restores with this limiter, which they share from then on. */
  public void limitBackups(MemorySegment options) {
    use(limiter -> {
      RocksDbC.rocksdb_backup_engine_options_set_backup_rate_limiter(options, limiter);
      RocksDbC.rocksdb_backup_engine_options_set_restore_rate_limiter(options, limiter);
    });
  }

  public long rate() {
    requireFunctions();
    return ask(limiter -> RocksDbC.Java_org_rocksdb_RateLimiter_getBytesPerSecond(
        MemorySegment.NULL, MemorySegment.NULL, limiter.address()));
  }

  public void setRate(long rate) {
    requireFunctions();
    use(limiter -> RocksDbC.Java_org_rocksdb_RateLimiter_setBytesPerSecond(
        MemorySegment.NULL, MemorySegment.NULL, limiter.address(), rate));
  }

  public long bytesThrough() {
    requireFunctions();
    return ask(limiter -> RocksDbC.Java_org_rocksdb_RateLimiter_getTotalBytesThrough(
        MemorySegment.NULL, MemorySegment.NULL, limiter.address()));
  }

  public long requests() {
    requireFunctions();
    return ask(limiter -> RocksDbC.Java_org_rocksdb_RateLimiter_getTotalRequests(
        MemorySegment.NULL, MemorySegment.NULL, limiter.address()));
  }

  @Override
  void destroy(MemorySegment limiter) {
    RocksDbC.rocksdb_ratelimiter_destroy(limiter);
  }
}
