/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.work.Tuning;

/** Measures a downcall with all checks into an engine function that does almost nothing. Times are per call. */
public class CallBenchmark extends MeasuredState {
  private static final int CALLS = 256;

  /** An empty database. */
  @State(Scope.Benchmark)
  public static class Opened extends OpenEngine {
    @Setup(Level.Trial)
    public void open() throws Exception {
      open(Tuning.forWriting(false));
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      closeAll();
    }
  }

  /** Reads the latest sequence number, a variable of the engine. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public long smallest(Opened opened) {
    return opened.binding.sequenceNumbers(CALLS);
  }
}
