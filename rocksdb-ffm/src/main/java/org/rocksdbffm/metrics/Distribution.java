/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

/**
 * The values that one {@link Histogram} has recorded. Quantiles are estimates from the engine's buckets. The difference
 * of two {@link Statistics} has a count and a sum alone: its quantiles and its maximum are {@link Double#NaN}.
 *
 * @param count how many there are
 * @param sum of all
 * @param median half of them are not larger
 * @param p95 95 of 100 are not larger
 * @param p99 99 of 100 are not larger
 * @param max the largest
 */
public record Distribution(long count, long sum, double median, double p95, double p99, double max) {
  /**
   * Their average.
   *
   * @return the sum by the count; 0 if there are none
   */
  public double average() {
    return count == 0 ? 0 : (double) sum / count;
  }

  Distribution since(Distribution earlier) {
    return new Distribution(
        count - earlier.count, sum - earlier.sum, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }
}
