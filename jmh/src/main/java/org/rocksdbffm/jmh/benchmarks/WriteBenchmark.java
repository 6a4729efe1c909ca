/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;

/**
 * Writes to 100000 keys in random order, by each method of {@link WriteLoop}, by default without WAL, and without
 * compactions. Times are per row.
 */
@OperationsPerInvocation(WriteBenchmark.WRITES)
public class WriteBenchmark extends MeasuredState {
  static final int WRITES = 32;
  static final int BATCHED = 1000;
  private static final int KEYS = 100_000;
  private static final byte[] OPERAND = {1, 0, 0, 0, 0, 0, 0, 0};

  /** A database to write to, empty at the start of each iteration. */
  @State(Scope.Benchmark)
  public static class Target extends OpenEngine {
    /** Whether the WAL is enabled. */
    @Param("false")
    public boolean wal;

    @Setup(Level.Iteration)
    public void open() throws Exception {
      open(Tuning.forWriting(wal));
    }

    @TearDown(Level.Iteration)
    public void close() throws Exception {
      closeAll();
    }
  }

  /** A thread's writes. */
  @State(Scope.Thread)
  public static class Caller {
    @Param({"100", "4096"})
    public int valueSize;

    private KeyCycle keys;
    private byte[] value;
    private WriteLoop writes;
    private WriteLoop merges;

    @Setup(Level.Trial)
    public void prepare() {
      keys = new KeyCycle(new DataSet(KEYS, 0).shuffledKeys());
      value = new byte[valueSize];
      new Random(valueSize).nextBytes(value);
    }

    @Setup(Level.Iteration)
    public void open(Target target) {
      writes = target.binding.writes(keys, value, WRITES);
      merges = target.binding.writes(keys, OPERAND, WRITES);
    }

    @TearDown(Level.Iteration)
    public void close() {
      writes.close();
      merges.close();
    }
  }

  /** A thread's batches. */
  @State(Scope.Thread)
  public static class Batches {
    /** The number of rows of a batch; a divisor of 1000. */
    @Param({"10", "100", "1000"})
    public int rows;

    private WriteLoop writes;

    @Setup(Level.Iteration)
    public void open(Target target, Caller caller) {
      writes = target.binding.writes(caller.keys, caller.value, rows);
    }

    @TearDown(Level.Iteration)
    public void close() {
      writes.close();
    }
  }

  @Benchmark
  public long put(Caller caller) throws Exception {
    return caller.writes.put();
  }

  @Benchmark
  public long putDirect(Caller caller) throws Exception {
    return caller.writes.putDirect();
  }

  @Benchmark
  public long delete(Caller caller) throws Exception {
    return caller.writes.delete();
  }

  @Benchmark
  public long merge(Caller caller) throws Exception {
    return caller.merges.merge();
  }

  @Benchmark
  @OperationsPerInvocation(BATCHED)
  public long fillBatch(Batches batches) throws Exception {
    long sum = 0;
    while (sum < BATCHED) {
      sum += batches.writes.fillBatch();
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(BATCHED)
  public long writeBatch(Batches batches) throws Exception {
    long sum = 0;
    while (sum < BATCHED) {
      sum += batches.writes.writeBatch();
    }
    return sum;
  }
}
