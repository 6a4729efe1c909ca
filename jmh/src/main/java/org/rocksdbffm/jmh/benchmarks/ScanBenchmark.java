/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.ScanLoop;

/**
 * Scans from a random start, including the creation and the close of the iterator, by each method of {@link ScanLoop}.
 * Times are per row, unless stated otherwise.
 */
@OperationsPerInvocation(ScanBenchmark.ROWS)
public class ScanBenchmark extends MeasuredState {
  static final int ROWS = 1000;
  private static final int FEW_ROWS = 10;

  /** A thread's scans. */
  @State(Scope.Thread)
  public static class Caller {
    private ScanLoop scans;
    private ScanLoop shortScans;

    @Setup(Level.Trial)
    public void prepare(StoredData stored) {
      scans = stored.binding().scans(stored.data(), ROWS);
      shortScans = stored.binding().scans(stored.data(), FEW_ROWS);
    }
  }

  @Benchmark
  public long arrays(Caller caller, Blackhole blackhole) throws Exception {
    return caller.scans.arrays(blackhole);
  }

  @Benchmark
  public long forward(Caller caller) throws Exception {
    return caller.scans.forward();
  }

  /** Times are per scan of a few rows. */
  @Benchmark
  @OperationsPerInvocation(ROWS / FEW_ROWS)
  public long few(Caller caller) throws Exception {
    long sum = 0;
    for (int scan = 0; scan < ROWS / FEW_ROWS; scan++) {
      sum += caller.shortScans.forward();
    }
    return sum;
  }

  @Benchmark
  public long backward(Caller caller) throws Exception {
    return caller.scans.backward();
  }

  @Benchmark
  public long bounded(Caller caller) throws Exception {
    return caller.scans.bounded();
  }

  @Benchmark
  public long cursor(Caller caller) {
    return caller.scans.cursor();
  }
}
