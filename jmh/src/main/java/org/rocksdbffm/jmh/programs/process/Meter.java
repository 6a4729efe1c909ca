/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/** Measures the steps of a program's threads after all threads have warmed up. */
public final class Meter {
  private static final long LONGEST = 60_000_000_000L;
  private static final int DIGITS = 2;

  private final long warmUp;
  private final AtomicInteger cold;
  private final List<Lane> lanes = new ArrayList<>();
  private volatile Mark begin;

  /**
   * Creates a meter for a number of threads.
   *
   * @param started the {@link System#nanoTime} of the process' start
   * @param warmUp the steps of each thread before the measurement; 0 measures the process from its start
   */
  public Meter(int threads, long started, long warmUp) {
    this.warmUp = warmUp;
    cold = new AtomicInteger(threads);
    begin = warmUp == 0 ? Mark.begin(started) : null;
  }

  /** Adds a thread, and returns its measurements, which only that thread uses. */
  public synchronized Lane lane() {
    Lane lane = new Lane();
    lanes.add(lane);
    return lane;
  }

  private void isWarm() {
    if (cold.decrementAndGet() == 0) {
      begin = Mark.now();
    }
  }

  /** Ends the measurement after all threads have ended. */
  public synchronized ProcessFigures end(long checksum) {
    Mark end = Mark.now();
    Histogram all = new Histogram(LONGEST, DIGITS);
    lanes.forEach(lane -> all.add(lane.times));
    return ProcessFigures.between(begin, end, all, checksum);
  }

  /** The measurements of one thread. */
  public final class Lane {
    private final Histogram times = new Histogram(LONGEST, DIGITS);
    private long steps;

    /** Records a step and its duration. */
    public void did(long nanos) {
      if (begin != null) {
        times.recordValue(Math.min(nanos, LONGEST));
      } else if (++steps == warmUp) {
        isWarm();
      }
    }
  }
}
