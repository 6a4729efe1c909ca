/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Converts durations to RocksDB's seconds: it would read a negative number as a very large one, and zero as never. */
public final class WholeSeconds {
  private WholeSeconds() {}

  /** Returns the number of seconds; refuses a fraction, because rounding would change the meaning. */
  public static long of(String name, Duration duration) {
    if (requireNonNull(duration, name).isNegative() || duration.getNano() != 0) {
      throw new IllegalArgumentException(name + ": " + duration + ", but it must be a number of whole seconds, at least 0");
    }
    return duration.toSeconds();
  }
}
