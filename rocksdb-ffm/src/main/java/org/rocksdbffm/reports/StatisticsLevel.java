/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;


/**
 * The counts and times that the engine collects for {@link org.rocksdbffm.DatabaseMetrics#statistics}; each level
 * includes the previous ones.
 */
public enum StatisticsLevel {
  /** Only {@link Ticker tickers}: no {@link Histogram}, and no clock is read. */
  TICKERS(1),
  /** Also histograms of sizes and numbers, for which no clock is read. */
  COUNTED_HISTOGRAMS(2),
  /** Also the durations of operations. */
  TIMERS(3),
  /** Also the durations of parts of operations, such as compression. */
  DETAILED_TIMERS(4),
  /** Also waits for the database's mutex, which are timed with the mutex held. */
  ALL(5);

  private final int level;

  StatisticsLevel(int level) {
    this.level = level;
  }

  /**
   * Returns the engine's number of the level.
   *
   * @return 1 to 5
   */
  public int level() {
    return level;
  }
}
