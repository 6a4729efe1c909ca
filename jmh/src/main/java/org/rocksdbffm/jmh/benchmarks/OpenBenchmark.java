/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdbffm.jmh.engines.Engines;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.DataPlace;
import org.rocksdbffm.jmh.work.DataSet;
import org.rocksdbffm.jmh.work.TemporaryFolder;
import org.rocksdbffm.jmh.work.Tuning;

/** Opens and closes an existing database. */
public class OpenBenchmark extends MeasuredState {
  private static final DataSet DATA = new DataSet(1000, 100);

  /** The closed database. */
  @State(Scope.Benchmark)
  public static class Closed {
    @Param({Binding.NATIVE, Binding.JNI, Binding.FFM})
    public String engine;

    private TemporaryFolder folder;

    @Setup(Level.Trial)
    public void write() throws Exception {
      folder = TemporaryFolder.create();
      DataSetFiles.write(engine, DATA, folder.path(), DataPlace.CACHE);
    }

    @TearDown(Level.Trial)
    public void delete() throws Exception {
      folder.close();
    }
  }

  @Benchmark
  public void openAndClose(Closed closed) throws Exception {
    Engines.open(closed.engine, closed.folder.path(), Tuning.forReading(DataPlace.CACHE)).close();
  }
}
