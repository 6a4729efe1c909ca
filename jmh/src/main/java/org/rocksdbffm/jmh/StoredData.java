/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import java.util.Arrays;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.RocksDB;
import org.rocksdbffm.RocksDb;

/**
 * A database of a trial, written by the engine under test, compacted, opened again, and read once so that
 * its block cache holds all of it. No other engine is loaded.
 */
@State(Scope.Benchmark)
public abstract class StoredData {
  /** About how much data there is, in MiB. */
  @Param("200")
  public int dataMiB;

  private TemporaryFolder folder;
  private DataSet data;
  private Binding binding;

  abstract String engine();

  abstract int valueSize();

  @Setup(Level.Trial)
  public void open() throws Exception {
    folder = TemporaryFolder.create();
    data = DataSet.ofSize(dataMiB, valueSize());
    try (Binding writing = Binding.open(engine(), folder.path(), Tuning.forReading())) {
      data.writeTo(writing);
    }
    binding = Binding.open(engine(), folder.path(), Tuning.forReading());
    for (int row : data.shuffled()) {
      if (!Arrays.equals(data.value(row), binding.get(data.key(row)))) {
        throw new IllegalStateException("row " + row + " has other bytes than were written");
      }
    }
    prepare();
  }

  /** What a benchmark has to do once the data is there; JMH leaves the order of several setups open. */
  void prepare() {}

  @TearDown(Level.Trial)
  public void close() throws Exception {
    binding.close();
    folder.close();
  }

  DataSet data() {
    return data;
  }

  Binding binding() {
    return binding;
  }

  JniBinding jni() {
    return (JniBinding) binding;
  }

  /** The database itself, where only one engine has what is measured. */
  RocksDb ffmDb() {
    return ((FfmBinding) binding).db();
  }

  RocksDB jniDb() {
    return jni().db();
  }
}
