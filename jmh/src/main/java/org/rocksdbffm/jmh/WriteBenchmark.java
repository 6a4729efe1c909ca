/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.nio.ByteBuffer;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes to random ones of 100000 keys, without the log unless asked for. Every iteration begins with an
 * empty database, and nothing is compacted. The figures are for one row.
 */
public class WriteBenchmark extends Measured {
  private static final int BATCH = 100;

  /** A database to write to. */
  @State(Scope.Benchmark)
  public static class Target {
    @Param({Binding.JNI, Binding.FFM})
    public String engine;

    /** Whether writes go through the log. */
    @Param("false")
    public boolean wal;

    private TemporaryFolder folder;
    private Binding binding;

    @Setup(Level.Iteration)
    public void open() throws Exception {
      folder = TemporaryFolder.create();
      binding = Binding.open(engine, folder.path(), Tuning.forWriting(wal));
    }

    @TearDown(Level.Iteration)
    public void close() throws Exception {
      binding.close();
      folder.close();
    }
  }

  /** A thread's keys in its own random order. */
  @State(Scope.Thread)
  public static class Keys {
    private static final int COUNT = 100_000;

    private final byte[] operand = {1, 0, 0, 0, 0, 0, 0, 0};
    private byte[][] arrays;
    private int position;

    @Setup(Level.Trial)
    public void prepare() {
      arrays = new DataSet(COUNT, 0).shuffledKeys();
      position = (int) (Thread.currentThread().threadId() * 7919 % COUNT);
    }

    int next() {
      position = position + 1 == COUNT ? 0 : position + 1;
      return position;
    }

    byte[] key() {
      return arrays[next()];
    }
  }

  /** A thread's values. */
  @State(Scope.Thread)
  public static class Value {
    @Param({"100", "4096"})
    public int valueSize;

    private byte[] array;
    private ByteBuffer buffer;
    private ByteBuffer[] keys;
    private Binding.Batch batch;

    @Setup(Level.Trial)
    public void prepare(Keys keys) {
      array = new byte[valueSize];
      new Random(valueSize).nextBytes(array);
      buffer = ByteBuffer.allocateDirect(valueSize).put(array).flip();
      this.keys = DataSet.direct(keys.arrays);
    }

    @Setup(Level.Iteration)
    public void openBatch(Target target) {
      batch = target.binding.newBatch();
    }

    @TearDown(Level.Iteration)
    public void closeBatch() {
      batch.close();
    }
  }

  @Benchmark
  public void put(Target target, Keys keys, Value value) throws Exception {
    target.binding.put(keys.key(), value.array);
  }

  @Benchmark
  public void putDirect(Target target, Keys keys, Value value) throws Exception {
    target.binding.put(value.keys[keys.next()], value.buffer);
  }

  @Benchmark
  public void delete(Target target, Keys keys) throws Exception {
    target.binding.delete(keys.key());
  }

  @Benchmark
  public void merge(Target target, Keys keys) throws Exception {
    target.binding.merge(keys.key(), keys.operand);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void batchAppend(Keys keys, Value value) throws Exception {
    fill(keys, value);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void batchWrite(Keys keys, Value value) throws Exception {
    fill(keys, value).write();
  }

  private static Binding.Batch fill(Keys keys, Value value) throws Exception {
    Binding.Batch batch = value.batch;
    batch.clear();
    for (int i = 0; i < BATCH; i++) {
      batch.put(keys.key(), value.array);
    }
    return batch;
  }
}
