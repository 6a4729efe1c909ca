/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.util.Arrays;

/** The median of some figures, the lowest and the highest. */
record Spread(double low, double median, double high) {
  static Spread of(double... figures) {
    if (figures.length == 0) {
      throw new IllegalArgumentException("figures: there are none");
    }
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(sorted[0], median, sorted[sorted.length - 1]);
  }

  /** Of the ratios of figures that were measured in the same rounds. */
  static Spread ofRatios(double[] dividends, double[] divisors) {
    double[] ratios = new double[Math.min(dividends.length, divisors.length)];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = dividends[i] / divisors[i];
    }
    return of(ratios);
  }
}
