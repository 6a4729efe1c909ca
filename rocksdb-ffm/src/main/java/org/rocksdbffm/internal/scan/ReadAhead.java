/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

/**
 * Decides how many rows an iterator reads with one call. Rows read ahead are wasted if a scan ends early, and cost more
 * than calls, and most scans are short: so it starts with few rows, and later reads a fraction of all rows so far.
 */
public final class ReadAhead {
  private static final int ROWS_FOR_EACH_AHEAD = 8;

  private final int fewest;
  private final int most;
  private int asked;

  public ReadAhead(int fewest, int most) {
    this.fewest = fewest;
    this.most = most;
  }

  /** Returns the number of rows for the next call in the same direction. */
  public int next() {
    int rows = Math.clamp(asked / ROWS_FOR_EACH_AHEAD, fewest, most);
    asked = Math.min(asked + rows, ROWS_FOR_EACH_AHEAD * most);
    return rows;
  }

  /** Starts with few rows again. */
  public void restart() {
    asked = 0;
  }
}
