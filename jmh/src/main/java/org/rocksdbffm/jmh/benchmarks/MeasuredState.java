/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/** The base of all benchmarks, with the default settings of their measurement. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow", // JMH 1.37 still uses Unsafe
      "-Xms1g",
      "-Xmx1g",
      "-XX:+AlwaysPreTouch" // otherwise page faults would be measured
    })
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public abstract class MeasuredState {
  /** The turns of this JVM. */
  @State(Scope.Benchmark)
  public static class Seat {
    private MachineTurn turn;

    @Setup(Level.Trial)
    public void take() throws IOException {
      turn = MachineTurn.ofThis();
    }
  }

  /** Called by each thread, because JMH's threads spin while one of them runs a shared setup. */
  @Setup(Level.Iteration)
  public final void awaitTurn(IterationParams iteration, Seat seat) throws Exception {
    if (iteration.getType() == IterationType.MEASUREMENT) {
      seat.turn.await();
    }
    begin();
  }

  @TearDown(Level.Iteration)
  public final void endTurn(IterationParams iteration, Seat seat) throws Exception {
    end();
    if (iteration.getType() == IterationType.MEASUREMENT) {
      seat.turn.end();
    }
  }

  /** Starts the background work of an iteration. */
  void begin() throws Exception {}

  /** Ends the background work, including pending work, so that it does not disturb the next JVM's turn. */
  void end() throws Exception {}
}
