/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.util.Arrays;

/**
 * The nanoseconds of a read in several rounds.
 *
 * @param form the library and the way to read
 * @param median the median of all rounds
 * @param least the minimum without the fastest round
 * @param most the maximum without the slowest round
 */
record Spread(String form, double median, double least, double most) {
  static Spread of(String form, double[] rounds) {
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    return new Spread(form, sorted[sorted.length / 2], sorted[1], sorted[sorted.length - 2]);
  }

  /** Returns how many times as fast as another this is; no number if the ranges of their rounds overlap. */
  String against(Spread other) {
    boolean isApart = most < other.least || other.most < least;
    return isApart ? "%.1fx".formatted(other.median / median) : "no difference that shows";
  }

  @Override
  public String toString() {
    return "%5.1f us (%.1f to %.1f)".formatted(median / 1000, least / 1000, most / 1000);
  }
}
