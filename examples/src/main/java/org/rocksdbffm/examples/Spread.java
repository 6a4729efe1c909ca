/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.util.Arrays;

/**
 * Nanoseconds a read, over several rounds.
 *
 * @param form what is read, and how
 * @param median of all rounds
 * @param least of all rounds but the fastest
 * @param most of all rounds but the slowest
 */
record Spread(String form, double median, double least, double most) {
  static Spread of(String form, double[] rounds) {
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    return new Spread(form, sorted[sorted.length / 2], sorted[1], sorted[sorted.length - 2]);
  }

  /** How many times as fast as another; no verdict where the rounds of one are among those of the other. */
  String against(Spread other) {
    boolean isApart = most < other.least || other.most < least;
    return isApart ? "%.1fx".formatted(other.median / median) : "no difference that shows";
  }

  @Override
  public String toString() {
    return "%5.1f us (%.1f to %.1f)".formatted(median / 1000, least / 1000, most / 1000);
  }
}
