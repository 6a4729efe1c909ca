/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;


/** How much the engine counts and times for {@link org.rocksdbffm.DatabaseMetrics#statistics}; each level has all of those above it. */
public enum StatisticsLevel {
  /** {@link Ticker Tickers} alone: no {@link Histogram}, and no clock is read. */
  TICKERS(1),
  /** Also the histograms of sizes and numbers, for which no clock is read. */
  COUNTED_HISTOGRAMS(2),
  /** Also how long operations take. */
  TIMERS(3),
  /** Also how long parts of operations take, such as compression. */
  DETAILED_TIMERS(4),
  /** Also how long the database's mutex is waited for, which is timed while that mutex is held. */
  ALL(5);

  private final int level;

  StatisticsLevel(int level) {
    this.level = level;
  }

  /**
   * The engine's number of the level.
   *
   * @return 1 to 5
   */
  public int level() {
    return level;
  }
}
