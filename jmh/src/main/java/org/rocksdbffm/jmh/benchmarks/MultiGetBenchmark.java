/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.rocksdbffm.jmh.work.KeyLists;
import org.rocksdbffm.jmh.work.MultiGetLoop;

/** Multi-gets of random keys, by each method of {@link MultiGetLoop}. Times are per key. */
@OperationsPerInvocation(MultiGetBenchmark.KEYS)
public class MultiGetBenchmark extends MeasuredState {
  static final int KEYS = 1000;
  private static final int MOST_LISTS = 500;

  /** A thread's multi-gets. */
  @State(Scope.Thread)
  public static class Caller {
    /** The number of keys of a call; a divisor of 1000. */
    @Param({"10", "100", "1000"})
    public int keys;

    /** Whether the keys of a call ascend. Passed to engines that have a parameter for sorted keys. */
    @Param({"false", "true"})
    public boolean sorted;

    private MultiGetLoop multiGets;

    @Setup(Level.Trial)
    public void prepare(StoredData stored) {
      byte[][] arranged = KeyLists.arranged(stored.data().shuffledKeys(), keys, MOST_LISTS, sorted);
      multiGets = stored.binding().multiGets(arranged, stored.data().valueSize(), keys, sorted);
    }
  }

  @Benchmark
  public long list(Caller caller, Blackhole blackhole) throws Exception {
    long sum = 0;
    for (int asked = 0; asked < KEYS; asked += caller.keys) {
      sum += caller.multiGets.list(blackhole);
    }
    return sum;
  }

  @Benchmark
  public long pinned(Caller caller) {
    long sum = 0;
    for (int asked = 0; asked < KEYS; asked += caller.keys) {
      sum += caller.multiGets.pinned();
    }
    return sum;
  }

  @Benchmark
  public long directBuffers(Caller caller) throws Exception {
    long sum = 0;
    for (int asked = 0; asked < KEYS; asked += caller.keys) {
      sum += caller.multiGets.directBuffers();
    }
    return sum;
  }
}
