/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A median, with the bounds of all values or of their middle half. */
public record MedianSpread(double low, double median, double high) {
  private static final int FEW = 4;

  /** Returns the median, the minimum and the maximum. */
  public static MedianSpread of(double... figures) {
    double[] sorted = sorted(figures);
    return new MedianSpread(sorted[0], median(sorted), sorted[sorted.length - 1]);
  }

  /** Returns the spread of a number of each run. */
  public static <T> MedianSpread of(List<T> runs, ToDoubleFunction<T> figure) {
    return of(runs.stream().mapToDouble(figure).toArray());
  }

  /** Returns the spread of the ratios of runs to other runs of the same rounds. */
  public static <T> MedianSpread ofRatios(List<T> runs, List<T> others, ToDoubleFunction<T> figure) {
    double[] ratios = new double[Math.min(runs.size(), others.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(others.get(i));
    }
    return of(ratios);
  }

  /** Returns the median and the quartiles, or, of very few values, the minimum and maximum. */
  static MedianSpread ofMiddleHalf(double... figures) {
    double[] sorted = sorted(figures);
    int cut = sorted.length < FEW ? 0 : sorted.length / 4;
    return new MedianSpread(sorted[cut], median(sorted), sorted[sorted.length - 1 - cut]);
  }

  /** Returns the median of the medians, and the bounds of all spreads. */
  static MedianSpread over(List<MedianSpread> some) {
    return new MedianSpread(
        some.stream().mapToDouble(MedianSpread::low).min().orElseThrow(),
        of(some.stream().mapToDouble(MedianSpread::median).toArray()).median(),
        some.stream().mapToDouble(MedianSpread::high).max().orElseThrow());
  }

  private static double[] sorted(double[] figures) {
    if (figures.length == 0) {
      throw new IllegalArgumentException("figures: there are none");
    }
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
