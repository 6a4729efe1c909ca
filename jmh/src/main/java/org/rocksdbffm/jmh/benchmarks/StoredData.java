/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.benchmarks;

import java.nio.file.Path;
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
import org.rocksdbffm.jmh.work.GetLoop;
import org.rocksdbffm.jmh.work.KeyCycle;
import org.rocksdbffm.jmh.work.TemporaryFolder;
import org.rocksdbffm.jmh.work.Tuning;

/**
 * The database of a trial, opened by the only engine in the JVM, and read once to fill the caches. The files were
 * written before the trial by another process, or are written by this engine; see {@link DataSetFiles}.
 */
@State(Scope.Benchmark)
public class StoredData {
  private static final int MOST_MIB_IN_MEMTABLE = 64;

  @Param({Binding.NATIVE, Binding.JNI, Binding.FFM})
  public String engine;

  @Param({"100", "4096", "65536"})
  public int valueSize;

  /** The approximate size of the data, in MiB. */
  @Param("200")
  public int dataMiB;

  /** Where the engine finds the data. */
  @Param("CACHE")
  public DataPlace place;

  /** Whether the engine's PerfContext counters are enabled, which is the engine's default. */
  @Param("false")
  public boolean counting;

  /** Whether the engine's statistics are enabled. */
  @Param("false")
  public boolean statistics;

  /** Whether each get of an array has a deadline, a minute after its start. */
  @Param("false")
  public boolean deadline;

  private TemporaryFolder folder;
  private DataSet data;
  private Binding binding;

  @Setup(Level.Trial)
  public void open() throws Exception {
    boolean inMemtable = place == DataPlace.MEMTABLE;
    data = DataSet.ofSize(inMemtable ? Math.min(dataMiB, MOST_MIB_IN_MEMTABLE) : dataMiB, valueSize);
    folder = TemporaryFolder.create();
    System.setProperty(Binding.COUNTING, Boolean.toString(counting)); // before a binding is loaded
    provide();
    binding = Engines.open(engine, folder.path(), Tuning.forReading(place).serving(statistics, deadline));
    if (inMemtable) {
      data.writeTo(binding);
    }
    readAll();
    prepare();
  }

  /**
   * Links the files of a data set into a private folder, because several processes read the data set, but only one
   * process can open a database.
   */
  private void provide() throws Exception {
    String shared = System.getProperty(DataSetFiles.SHARED);
    if (shared != null && place != DataPlace.MEMTABLE) {
      DataSetFiles.link(DataSetFiles.folder(Path.of(shared), data, place), folder.path());
    } else if (place != DataPlace.MEMTABLE) {
      DataSetFiles.write(engine, data, folder.path(), place);
    }
  }

  private void readAll() throws Exception {
    KeyCycle keys = new KeyCycle(data.shuffledKeys());
    long look = binding.gets(keys, data.valueSize(), data.count()).intoDirect();
    if (look != data.look()) {
      throw new IllegalStateException("The rows are not those that were written");
    }
  }

  /** Prepares a benchmark after the data is ready; JMH does not define the order of several setups. */
  void prepare() throws Exception {}

  /** Ends a benchmark's work before the database is closed. */
  void finish() throws Exception {}

  @TearDown(Level.Trial)
  public void close() throws Exception {
    finish();
    binding.close();
    folder.close();
  }

  public DataSet data() {
    return data;
  }

  public Binding binding() {
    return binding;
  }

  /** Returns a thread's gets of all rows in random order. */
  GetLoop gets(int count) {
    return binding.gets(new KeyCycle(data.shuffledKeys()), data.valueSize(), count);
  }
}
