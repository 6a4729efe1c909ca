/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.function.BooleanSupplier;

/** Waits for a condition with a limit. */
final class Wait {
  private static final long LIMIT_NANOS = 60_000_000_000L;

  private Wait() {}

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within a minute: " + what);
      }
      Thread.sleep(10);
    }
  }
}
