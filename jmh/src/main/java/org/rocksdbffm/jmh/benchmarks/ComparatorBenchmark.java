/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;

/**
 * Gets and puts of 20000 keys in the memtable, where comparators are called most, with the engine's comparator, and
 * with a comparator in Java. Times are per get or put.
 */
@OperationsPerInvocation(ComparatorBenchmark.CALLS)
public class ComparatorBenchmark extends MeasuredState {
  static final int CALLS = 32;
  private static final DataSet DATA = new DataSet(20_000, 100);

  /** A database whose rows are all in the memtable; puts overwrite rows. */
  @State(Scope.Benchmark)
  public static class Compared extends OpenEngine {
    @Param({"BYTEWISE", "JAVA_BYTEWISE"})
    public String order;

    @Setup(Level.Trial)
    public void open() throws Exception {
      open(Tuning.forComparing(Tuning.Order.valueOf(order)));
      DATA.writeTo(binding);
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      closeAll();
    }
  }

  /** A thread's gets and puts. */
  @State(Scope.Thread)
  public static class Caller {
    private GetLoop gets;
    private WriteLoop writes;

    @Setup(Level.Trial)
    public void open(Compared compared) {
      gets = compared.binding.gets(new KeyCycle(DATA.shuffledKeys()), DATA.valueSize(), CALLS);
      writes = compared.binding.writes(new KeyCycle(DATA.shuffledKeys()), DATA.value(0), CALLS);
    }

    @TearDown(Level.Trial)
    public void close() {
      writes.close();
    }
  }

  @Benchmark
  public long get(Caller caller) throws Exception {
    return caller.gets.intoArray();
  }

  @Benchmark
  public long put(Caller caller) throws Exception {
    return caller.writes.put();
  }
}
