/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A counter of the calls in flight, in stripes that are padded against each other: the close protocol of this library
 * is compared with it.
 */
final class StripedInFlight {
  private static final int STRIPES = 16;
  private static final int LONGS_OF_A_STRIPE = 16; // two cache lines, for the prefetcher takes pairs

  private final AtomicLongArray counts = new AtomicLongArray((STRIPES + 1) * LONGS_OF_A_STRIPE);
  private volatile boolean closed;

  /** Enters, and returns the stripe to leave. */
  int enter() {
    int stripe = (((int) Thread.currentThread().threadId() & (STRIPES - 1)) + 1) * LONGS_OF_A_STRIPE;
    counts.getAndIncrement(stripe);
    if (closed) {
      exit(stripe);
      throw new IllegalStateException("closed");
    }
    return stripe;
  }

  void exit(int stripe) {
    counts.getAndDecrement(stripe);
  }

  void close() {
    closed = true;
  }
}
