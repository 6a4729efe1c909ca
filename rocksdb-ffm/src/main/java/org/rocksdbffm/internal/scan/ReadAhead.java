/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

/**
 * How many rows an iterator reads with one call. Rows that were read ahead are lost where a scan ends early, and cost more
 * than calls, and most scans are short: so it is few at first, and a part of all that were asked for later.
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

  /** The rows to read with the next call in the same direction. */
  public int next() {
    int rows = Math.clamp(asked / ROWS_FOR_EACH_AHEAD, fewest, most);
    asked = Math.min(asked + rows, ROWS_FOR_EACH_AHEAD * most);
    return rows;
  }

  /** Begins with few rows again. */
  public void restart() {
    asked = 0;
  }
}
