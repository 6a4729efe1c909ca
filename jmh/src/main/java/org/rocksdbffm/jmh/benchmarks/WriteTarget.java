/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.engines.Engines;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.TemporaryFolder;
import org.rocksdbffm.jmh.work.Tuning;

/** A database to write to, which begins each iteration empty. */
@State(Scope.Benchmark)
public class WriteTarget {
  @Param({Binding.NATIVE, Binding.JNI, Binding.FFM})
  public String engine;

  /** Whether writes go through the log. */
  @Param("false")
  public boolean wal;

  private TemporaryFolder folder;
  private Binding binding;

  @Setup(Level.Iteration)
  public void open() throws Exception {
    folder = TemporaryFolder.create();
    binding = Engines.open(engine, folder.path(), Tuning.forWriting(wal));
  }

  @TearDown(Level.Iteration)
  public void close() throws Exception {
    binding.close();
    folder.close();
  }

  Binding binding() {
    return binding;
  }
}
