/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's scans by one engine: each method reads so many rows from the next random start, with an iterator that it
 * opens and closes, and returns the sum of the {@linkplain Checksum checksums} of keys and values.
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

  /** Upward from a key, into new arrays. */
  public abstract long arrays(Blackhole blackhole) throws Exception;

  /** Upward from a key, on the shortest way to the bytes that the engine has. */
  public abstract long forward() throws Exception;

  /** Downward from a key. */
  public abstract long backward() throws Exception;

  /** Upward through a range whose ends are given to the iterator. */
  public abstract long bounded() throws Exception;

  /** Upward from a key, with one call for each row. */
  public long cursor() {
    throw new UnsupportedOperationException(getClass().getSimpleName() + " has no cursor");
  }
}
