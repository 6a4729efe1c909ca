/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

/**
 * The extent of a sweep: in the build a fixed, reproducible sample; with {@code -Drocksdbffm.sweep=SEED}, as
 * {@code .ci/sweeps} sets it, the whole sweep.
 */
public final class Sweeps {
  static final String PROPERTY = "rocksdbffm.sweep";

  private static final Long SEED = Long.getLong(PROPERTY);

  private Sweeps() {}

  public static long seed() {
    return SEED == null ? 1 : SEED;
  }

  /** Returns the number for the sample or for the whole sweep, such as a number of cases or seconds. */
  public static int of(int sample, int whole) {
    return SEED == null ? sample : whole;
  }
}
