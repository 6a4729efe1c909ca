/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The median of some figures, with a low and a high end that they, or their middle half, lie between. */
public record Spread(double low, double median, double high) {
  private static final int FEW = 4;

  /** The median, the lowest and the highest. */
  public static Spread of(double... figures) {
    double[] sorted = sorted(figures);
    return new Spread(sorted[0], median(sorted), sorted[sorted.length - 1]);
  }

  /** That of a figure of all runs. */
  public static <T> Spread of(List<T> runs, ToDoubleFunction<T> figure) {
    return of(runs.stream().mapToDouble(figure).toArray());
  }

  /** That of the ratios of runs to those of the same turns. */
  public static <T> Spread ofRatios(List<T> runs, List<T> others, ToDoubleFunction<T> figure) {
    double[] ratios = new double[Math.min(runs.size(), others.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(others.get(i));
    }
    return of(ratios);
  }

  /** The median and the quartiles, or the lowest and the highest of very few. */
  static Spread ofMiddleHalf(double... figures) {
    double[] sorted = sorted(figures);
    int cut = sorted.length < FEW ? 0 : sorted.length / 4;
    return new Spread(sorted[cut], median(sorted), sorted[sorted.length - 1 - cut]);
  }

  /** The median of the medians, and what all lie between. */
  static Spread over(List<Spread> some) {
    return new Spread(
        some.stream().mapToDouble(Spread::low).min().orElseThrow(),
        of(some.stream().mapToDouble(Spread::median).toArray()).median(),
        some.stream().mapToDouble(Spread::high).max().orElseThrow());
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
