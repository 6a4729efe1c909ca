/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A sum to which many threads add concurrently, usually each to a different stripe. All memory is allocated at
 * creation: the JDK's {@code LongAdder} allocates under contention, and in a full heap throws without having counted,
 * so that counts would be wrong forever. Thread-safe.
 */
public final class StripedCounter {
  private static final int LINE = 8;
  private static final int STRIPES = stripes(Runtime.getRuntime().availableProcessors());

  // The first and the last cache line are padding against neighbors in the heap.
  private final AtomicLongArray sums = new AtomicLongArray((STRIPES + 1) * LINE);

  private static int stripes(int processors) {
    return Integer.highestOneBit(Math.clamp(processors, 1, 32) * 2 - 1);
  }

  /** Adds a number, which may be negative. */
  public void add(long number) {
    int mixed = (int) (Thread.currentThread().threadId() * 0x9E3779B9L >>> 16);
    sums.getAndAdd(((mixed & STRIPES - 1) + 1) * LINE, number);
  }

  public void increment() {
    add(1);
  }

  public void decrement() {
    add(-1);
  }

  /** Returns the sum; concurrent additions may be included or not. */
  public long sum() {
    long sum = 0;
    for (int i = 1; i <= STRIPES; i++) {
      sum += sums.get(i * LINE);
    }
    return sum;
  }
}
