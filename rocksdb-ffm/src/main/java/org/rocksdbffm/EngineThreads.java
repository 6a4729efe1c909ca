/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.settings.NativeThreads;

/**
 * RocksDB's thread pools, which all databases of the process share. Opening a database enlarges HIGH and LOW if
 * {@link DatabaseOptions#maxBackgroundJobs} needs more threads, and so does a change of that option;
 * {@link #count(int)} enlarges them further, or shrinks them. A database never runs more jobs than its options allow,
 * whatever the number of threads. Thread-safe.
 */
public enum EngineThreads {
  /** For flushes. */
  HIGH(NativeThreads.HIGH),
  /** For compactions. */
  LOW(NativeThreads.LOW),
  /** For compactions into the last level; while this pool has no threads, as initially, LOW does its work. */
  BOTTOM(NativeThreads.BOTTOM);

  private final NativeThreads pool;

  EngineThreads(NativeThreads pool) {
    this.pool = pool;
  }

  /**
   * Returns the number of threads in the pool.
   *
   * @return the number, including idle threads
   */
  public int count() {
    return pool.count();
  }

  /**
   * Sets the number of threads in the pool. Excess threads end after their current work.
   *
   * @param count from 1 to 1024: without threads, pending work would never be done
   */
  public void count(int count) {
    pool.setCount(count);
  }

  /**
   * Gives the pool's threads idle CPU priority (Linux). Irreversible.
   *
   * @throws UnsupportedOperationException for BOTTOM, which the engine's C API does not support
   */
  public void lowerCpuPriority() {
    pool.lowerCpuPriority();
  }

  /**
   * Gives the pool's threads idle I/O priority (Linux, if the I/O scheduler supports it). Irreversible. Flushes without
   * I/O stall writes, so use it for LOW rather than HIGH.
   *
   * @throws UnsupportedOperationException for BOTTOM, which the engine's C API does not support
   */
  public void lowerIoPriority() {
    pool.lowerIoPriority();
  }
}
