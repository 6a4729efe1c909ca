/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A sum that many threads add to at once, each to a stripe of its own as a rule. All of its memory is there from the
 * start: the JDK's {@code LongAdder} makes some when threads meet, and in a full heap throws without having counted, so
 * that what it counted would be missed or kept for ever. Thread-safe.
 */
public final class StripedCounter {
  private static final int LINE = 8;
  private static final int STRIPES = stripes(Runtime.getRuntime().availableProcessors());

  // The first line and the last are left to what lies beside the array.
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

  /** The sum of all that was added by now; a number that is added meanwhile may be in it or not. */
  public long sum() {
    long sum = 0;
    for (int i = 1; i <= STRIPES; i++) {
      sum += sums.get(i * LINE);
    }
    return sum;
  }
}
