/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

/**
 * The values that one {@link Histogram} has recorded. Quantiles are estimated from the engine's buckets. The difference
 * of two {@link Statistics} has only count and sum: its quantiles and maximum are {@link Double#NaN}.
 *
 * @param count the number of values
 * @param sum the sum of the values
 * @param median the 50th percentile
 * @param p95 the 95th percentile
 * @param p99 the 99th percentile
 * @param max the largest value
 */
public record Distribution(long count, long sum, double median, double p95, double p99, double max) {
  /**
   * Returns the average of the values.
   *
   * @return the sum divided by the count; 0 if there are no values
   */
  public double average() {
    return count == 0 ? 0 : (double) sum / count;
  }

  Distribution since(Distribution earlier) {
    return new Distribution(
        count - earlier.count, sum - earlier.sum, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }
}
