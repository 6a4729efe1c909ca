/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdbffm.jmh.benchmarks.DataSetFiles;
import org.rocksdbffm.jmh.benchmarks.FirstGet;
import org.rocksdbffm.jmh.benchmarks.WriteBenchmark;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.MeasuringPlan;
import org.rocksdbffm.jmh.run.plan.Pace;
import org.rocksdbffm.jmh.run.plan.PlannedRow;
import org.rocksdbffm.jmh.work.DataPlace;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The folder of a run's data sets, and of its processes' files; deleted when it is closed. */
record DataFolder(Path path) implements AutoCloseable {
  static DataFolder create() throws IOException {
    DataFolder folder = new DataFolder(Files.createTempDirectory("rocksdb-ffm-bench-"));
    Runtime.getRuntime().addShutdownHook(new Thread(folder::closeWhenStopped, "delete-data"));
    return folder;
  }

  /** Deletes the folder, which may have gigabytes, also after Ctrl-C. */
  private void closeWhenStopped() {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    try {
      close();
    } catch (IOException e) {
      System.err.println("Delete " + path + " manually: " + e.getMessage());
    }
  }

  /** Writes the data sets for the cells, each in a separate process. */
  void prepare(MeasuringPlan plan, Pace pace, RunProgress progress) throws Exception {
    Set<List<String>> needed = new TreeSet<>(Comparator.comparing(List::toString));
    for (Cell cell : plan.cells()) {
      DataPlace place = DataPlace.valueOf(cell.row().parameters().getOrDefault("place", DataPlace.CACHE.name()));
      if (place != DataPlace.MEMTABLE && cell.row().sizes().areAny() && readsStoredRows(cell.row())) {
        needed.add(List.of(Integer.toString(pace.dataMiB()), Integer.toString(cell.size()), place.name()));
      }
    }
    for (List<String> data : needed) {
      progress.preparing(data.get(0) + " MiB of values of " + Cell.sizeText(Long.parseLong(data.get(1))));
      write(data);
    }
    if (plan.cells().stream().anyMatch(cell -> cell.row().isStart())) {
      FirstGet.prepare(path);
    }
  }

  private static boolean readsStoredRows(PlannedRow row) {
    return switch (row.group()) {
      case GET, SCAN, MULTIGET, HANDOFF -> true;
      case COMPAT -> !row.benchmark().startsWith(WriteBenchmark.class.getName());
      case WRITE, TRANSACTION, CALLBACK, STARTUP, UPSTREAM -> false;
    };
  }

  private void write(List<String> data) throws IOException, InterruptedException {
    EngineProcess.of(Engine.FFM)
        .run(System.out::println, DataSetFiles.class.getName(), path, data.get(0), data.get(1), data.get(2));
  }

  @Override
  public void close() throws IOException {
    if (Files.exists(path)) {
      new TemporaryFolder(path).close();
    }
  }
}
