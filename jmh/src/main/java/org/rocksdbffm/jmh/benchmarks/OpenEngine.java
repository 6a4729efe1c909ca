/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.rocksdbffm.jmh.engines.Engines;
import org.rocksdbffm.jmh.work.Binding;
import org.rocksdbffm.jmh.work.TemporaryFolder;
import org.rocksdbffm.jmh.work.Tuning;

/** A database that an engine has opened in a temporary folder. */
@State(Scope.Benchmark)
public abstract class OpenEngine {
  @Param({Binding.NATIVE, Binding.JNI, Binding.FFM})
  public String engine;

  Binding binding;
  private TemporaryFolder folder;

  final void open(Tuning tuning) throws Exception {
    folder = TemporaryFolder.create();
    binding = Engines.open(engine, folder.path(), tuning);
  }

  final void closeAll() throws Exception {
    binding.close();
    folder.close();
  }
}
