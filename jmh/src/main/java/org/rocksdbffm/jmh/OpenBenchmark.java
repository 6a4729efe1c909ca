/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Opening a database that exists, and closing it again. */
public class OpenBenchmark extends Measured {
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
      StoredRows.write(engine, DATA, folder.path(), Place.CACHE);
    }

    @TearDown(Level.Trial)
    public void delete() throws Exception {
      folder.close();
    }
  }

  @Benchmark
  public void openAndClose(Closed closed) throws Exception {
    Binding.open(closed.engine, closed.folder.path(), Tuning.forReading(Place.CACHE)).close();
  }
}
