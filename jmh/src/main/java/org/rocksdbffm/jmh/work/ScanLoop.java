/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's scans with an engine: each method reads a number of rows from the next random start, with a new iterator,
 * and returns the sum of the {@linkplain Checksum checksums} of keys and values.
 */
public abstract class ScanLoop {
  public final DataSet data;
  public final int rows;
  private final int[] starts;
  private int position;

  public ScanLoop(DataSet data, int rows) {
    if (data.count() <= rows) {
      throw new IllegalArgumentException(
          "The data has " + data.count() + " rows, but a scan needs more than " + rows + ": raise dataMiB");
    }
    this.data = data;
    this.rows = rows;
    starts = data.shuffled().stream().mapToInt(row -> row).filter(row -> row + rows < data.count()).toArray();
    position = (int) (Thread.currentThread().threadId() % starts.length);
  }

  public final int nextStart() {
    position = position + 1 == starts.length ? 0 : position + 1;
    return starts[position];
  }

  /** Reads ascending rows into new arrays. */
  public abstract long arrays(Blackhole blackhole) throws Exception;

  /** Reads ascending rows with the engine's fastest method. */
  public abstract long forward() throws Exception;

  /** Reads descending rows. */
  public abstract long backward() throws Exception;

  /** Reads ascending rows in a range with iterator bounds. */
  public abstract long bounded() throws Exception;

  /** Reads ascending rows with one call for each. */
  public long cursor() {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no cursor");
  }
}
