/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import org.rocksdbffm.internal.settings.NativeThreads;

/**
 * The engine's threads, in three pools that all databases of the process share. An opening adds threads to HIGH and LOW
 * where they have fewer than its {@link DatabaseOptions#maxBackgroundJobs} asks for, and so does a change of that option; here their
 * numbers can be set beyond that, and lowered. A database runs no more jobs at once than its options allow, however many
 * threads there are. Thread-safe.
 */
public enum EngineThreads {
  /** For flushes. */
  HIGH(NativeThreads.HIGH),
  /** For compactions. */
  LOW(NativeThreads.LOW),
  /** For compactions into the last level, apart from the others; LOW does them where it has no threads, as at first. */
  BOTTOM(NativeThreads.BOTTOM);

  private final NativeThreads pool;

  EngineThreads(NativeThreads pool) {
    this.pool = pool;
  }

  /**
   * How many threads the pool has.
   *
   * @return the number, whether they are at work or wait for it
   */
  public int count() {
    return pool.count();
  }

  /**
   * Sets how many threads the pool has. Threads that are too many end when they have done their work.
   *
   * @param count from 1 to 1024: without any, what is to be done already would never be
   */
  public void count(int count) {
    pool.setCount(count);
  }

  /**
   * Has the threads of the pool take the processor when nobody else wants it, on Linux. There is no way back.
   *
   * @throws UnsupportedOperationException for BOTTOM, for which the engine has no function
   */
  public void lowerCpuPriority() {
    pool.lowerCpuPriority();
  }

  /**
   * Has the threads of the pool take the disk when nobody else wants it, on Linux, where its scheduler heeds that. There
   * is no way back. Flushes that get no disk hold up writes, so this is for LOW rather than for HIGH.
   *
   * @throws UnsupportedOperationException for BOTTOM, for which the engine has no function
   */
  public void lowerIoPriority() {
    pool.lowerIoPriority();
  }
}
