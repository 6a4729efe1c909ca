/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.Tuning;

/**
 * Compactions of 50000 rows with a filter that keeps all rows: a filter in C; one of the engine's filters for
 * rocksdbjni, whose Java filters cannot see rows; and a filter in Java. Times are per row.
 */
@OperationsPerInvocation(FilterBenchmark.ROWS)
public class FilterBenchmark extends MeasuredState {
  static final int ROWS = 50_000;
  private static final DataSet DATA = new DataSet(ROWS, 100);

  /** A database with one table file, which each compaction rewrites because of the filter. */
  @State(Scope.Benchmark)
  public static class Filtered extends OpenEngine {
    @Setup(Level.Trial)
    public void open() throws Exception {
      open(Tuning.forFiltering());
      DATA.writeTo(binding);
      binding.put(DATA.missingKey(0), new byte[0]);
      binding.flushAndCompact();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
      long look = binding.gets(new KeyCycle(DATA.shuffledKeys()), DATA.valueSize(), ROWS).intoArray();
      closeAll();
      if (look != DATA.look()) {
        throw new IllegalStateException("The rows are not those that were kept");
      }
    }
  }

  @Benchmark
  public void compact(Filtered filtered) throws Exception {
    filtered.binding.flushAndCompact();
  }
}
