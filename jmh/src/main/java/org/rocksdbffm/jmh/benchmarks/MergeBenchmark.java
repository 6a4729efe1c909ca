/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.work.Checksum;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.Tuning;
import org.rocksdbffm.jmh.work.WriteLoop;

/**
 * Gets of keys in the memtable with a number and four merge operands, which each get adds: with the engine's merge
 * operator, and with a merge function in Java. Times are per get.
 */
@OperationsPerInvocation(MergeBenchmark.GETS)
public class MergeBenchmark extends MeasuredState {
  static final int GETS = 32;
  private static final int OPERANDS = 4;
  private static final long OPERAND = 1L << 40 | 1;
  private static final DataSet DATA = new DataSet(20_000, Long.BYTES);

  /** A database whose rows are all in the memtable. */
  @State(Scope.Benchmark)
  public static class Merged extends OpenEngine {
    @Param({"ENGINE", "JAVA"})
    public String merging;

    @Setup(Level.Trial)
    public void open() throws Exception {
      open(Tuning.forMerging(Tuning.Merging.valueOf(merging)));
      DATA.writeTo(binding);
      byte[] operand = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(OPERAND).array();
      try (WriteLoop writes = binding.writes(new KeyCycle(DATA.shuffledKeys()), operand, DATA.count())) {
        for (int i = 0; i < OPERANDS; i++) {
          writes.merge();
        }
      }
      long look = binding.gets(new KeyCycle(DATA.shuffledKeys()), Long.BYTES, DATA.count()).intoArray();
      if (look != lookAtSums()) {
        throw new IllegalStateException("The sums are not those of what was merged");
      }
    }

    private static long lookAtSums() {
      long look = 0;
      for (int row = 0; row < DATA.count(); row++) {
        byte[] value = DATA.value(row);
        value[0] += OPERANDS; // the lowest byte of the number
        look += Checksum.at(value);
      }
      return look;
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      closeAll();
    }
  }

  /** A thread's gets. */
  @State(Scope.Thread)
  public static class Caller {
    private GetLoop gets;

    @Setup(Level.Trial)
    public void open(Merged merged) {
      gets = merged.binding.gets(new KeyCycle(DATA.shuffledKeys()), Long.BYTES, GETS);
    }
  }

  @Benchmark
  public long get(Caller caller) throws Exception {
    return caller.gets.intoArray();
  }
}
