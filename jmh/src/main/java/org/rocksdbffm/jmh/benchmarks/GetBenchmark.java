/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;

/** Gets of keys in random order, by each method of {@link GetLoop}. Times are per get. */
@OperationsPerInvocation(GetBenchmark.GETS)
public class GetBenchmark extends MeasuredState {
  /** The gets of a loop, in Java and in C, so that the call of the C loop and JMH's overhead do not matter. */
  static final int GETS = 32;

  /** A thread's gets. */
  @State(Scope.Thread)
  public static class Caller {
    private GetLoop gets;
    private GetLoop missing;

    @Setup(Level.Trial)
    public void prepare(StoredData stored) {
      DataSet data = stored.data();
      gets = stored.gets(GETS);
      missing = stored.binding().gets(new KeyCycle(data.shuffledMissingKeys()), data.valueSize(), GETS);
    }
  }

  @Benchmark
  public long array(Caller caller, Blackhole blackhole) throws Exception {
    return caller.gets.array(blackhole);
  }

  @Benchmark
  public long intoArray(Caller caller) throws Exception {
    return caller.gets.intoArray();
  }

  @Benchmark
  public long intoDirect(Caller caller) throws Exception {
    return caller.gets.intoDirect();
  }

  @Benchmark
  public long intoSegment(Caller caller) throws Exception {
    return caller.gets.intoSegment();
  }

  @Benchmark
  public long pinned(Caller caller) {
    return caller.gets.pinned();
  }

  @Benchmark
  public long pinnedView(Caller caller) {
    return caller.gets.pinnedView();
  }

  @Benchmark
  public long callback(Caller caller) {
    return caller.gets.callback();
  }

  @Benchmark
  public long fillOrPin(Caller caller) {
    return caller.gets.fillOrPin();
  }

  @Benchmark
  public long inArena(Caller caller) {
    return caller.gets.inArena();
  }

  /** Reads missing keys, each between two existing keys. */
  @Benchmark
  public long missing(Caller caller, Blackhole blackhole) throws Exception {
    return caller.missing.array(blackhole);
  }
}
