/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Durations where the engine counts in seconds: it takes a negative number for a very large one, and zero for never. */
public final class WholeSeconds {
  private WholeSeconds() {}

  /** The number of seconds; fails for a part of one, which would be rounded to another meaning. */
  public static long of(String name, Duration duration) {
    if (requireNonNull(duration, name).isNegative() || duration.getNano() != 0) {
      throw new IllegalArgumentException(name + ": " + duration + ", but it must be a number of whole seconds, at least 0");
    }
    return duration.toSeconds();
  }
}
