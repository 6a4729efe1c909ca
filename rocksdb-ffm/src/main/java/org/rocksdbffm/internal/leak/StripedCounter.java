/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A sum to which many threads add concurrently, usually each to a different stripe. All memory is allocated at
 * creation: the JDK's {@code LongAdder} allocates under contention, and in a full heap throws without having counted,
 * so that counts would be wrong forever. Thread-safe.
 */
public final class StripedCounter {
  private static final AtomicLongFieldUpdater<Stripe> SUM = AtomicLongFieldUpdater.newUpdater(Stripe.class, "sum");
  private static final int STRIPES = stripes(Runtime.getRuntime().availableProcessors());

  private final Stripe[] stripes = new Stripe[STRIPES];

  /** A part of the sum, larger than a cache line. Its updater is less bytecode than an array's {@code VarHandle}. */
  private static final class Stripe {
    volatile long sum;
    @SuppressWarnings("unused")
    long a, b, c, d, e, f, g, h;
  }

  public StripedCounter() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  private static int stripes(int processors) {
    return Integer.highestOneBit(Math.clamp(processors, 1, 32) * 2 - 1);
  }

  /** Adds a number, which may be negative. */
  public void add(long number) {
    int mixed = (int) (Thread.currentThread().threadId() * 0x9E3779B9L >>> 16);
    SUM.getAndAdd(stripes[mixed & STRIPES - 1], number);
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
    for (Stripe stripe : stripes) {
      sum += stripe.sum;
    }
    return sum;
  }
}
