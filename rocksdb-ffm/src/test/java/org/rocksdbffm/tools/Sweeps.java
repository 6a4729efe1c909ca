/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

/**
 * How much a sweep does: in the build a fixed sample, which says the same of the same tree; with {@code
 * -Drocksdbffm.sweep=}
 * and a seed, as {@code .ci/sweeps} gives it, the whole.
 */
public final class Sweeps {
  static final String PROPERTY = "rocksdbffm.sweep";

  private static final Long SEED = Long.getLong(PROPERTY);

  private Sweeps() {}

  public static long seed() {
    return SEED == null ? 1 : SEED;
  }

  /** Cases, seconds, or a step between cases. */
  public static int of(int sample, int whole) {
    return SEED == null ? sample : whole;
  }
}
