/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;
import org.rocksdbffm.jmh.programs.process.ProgramProcess;
import org.rocksdbffm.jmh.programs.process.StreamsProcess;
import org.rocksdbffm.jmh.programs.process.YcsbProcess;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** Starts the processes of programs, each on a new folder. */
final class ProgramRunner implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final int RECORDS = 100_000;
  private static final int QUICK_RECORDS = 20_000;
  private static final String SPARK_PROCESS = "org.rocksdbffm.jmh.spark.StateStoreProcess"; // in another module

  private final boolean quick;
  private final boolean aot;
  private final TemporaryFolder folder = TemporaryFolder.create();
  private final Map<String, Path> caches = new HashMap<>();
  private Path records; // a store that the YCSB client has loaded

  ProgramRunner(ProgramArguments arguments) throws IOException {
    quick = arguments.quick();
    aot = arguments.aot();
  }

  /** Runs a program once. */
  ProgramRun run(ProgramRow row, RunMode mode, Engine engine, long steps) throws IOException, InterruptedException {
    List<String> flags = aot ? List.of("-XX:AOTCache=" + cache(row, engine)) : List.of();
    return run(row, mode, engine, steps, flags);
  }

  /** Returns an AOT cache from a short training run of the same program. */
  private Path cache(ProgramRow row, Engine engine) throws IOException, InterruptedException {
    String name = row.name() + "-" + engine.id();
    Path cache = caches.get(name);
    if (cache == null) {
      cache = folder.path().resolve(name + ".aot");
      run(row, RunMode.SHORT, engine, Math.max(1, row.steps()), List.of("-XX:AOTCacheOutput=" + cache));
      caches.put(name, cache);
    }
    return cache;
  }

  private ProgramRun run(ProgramRow row, RunMode mode, Engine engine, long steps, List<String> flags)
      throws IOException, InterruptedException {
    try (TemporaryFolder data = TemporaryFolder.create()) {
      if (row.isYcsb() && !row.isLoad()) {
        copyRecords(data.path());
      }
      return start(row, mode, engine, steps, flags, data.path());
    }
  }

  private ProgramRun start(
      ProgramRow row, RunMode mode, Engine engine, long steps, List<String> flags, Path data)
      throws IOException, InterruptedException {
    List<Object> arguments =
        new ArrayList<>(List.of(engine.parameter(), row.isYcsb() ? row.workload() : row.name(), data));
    arguments.addAll(List.of(mode.warmUp(steps), mode.measured(steps)));
    if (row.isYcsb()) {
      arguments.addAll(List.of(row.threads(), quick ? QUICK_RECORDS : RECORDS));
    }
    EngineProcess.Ended ended =
        new EngineProcess(List.of(), classPath(row, engine), flags)
            .run(line -> { }, processOf(row), arguments.toArray());
    ProcessFigures figures = Printed.in(ProcessFigures.class, ended.lines());
    boolean whole = mode == RunMode.SHORT;
    return new ProgramRun(
        figures,
        whole ? ended.seconds() : figures.nanos() / NANOS,
        whole && ended.cpuSeconds() > 0 ? ended.cpuSeconds() : figures.cpuNanos() / NANOS);
  }

  private static String processOf(ProgramRow row) {
    if (row.isSpark()) {
      return SPARK_PROCESS;
    }
    return (row.isYcsb() ? YcsbProcess.class : row.isStreams() ? StreamsProcess.class : ProgramProcess.class).getName();
  }

  /** Returns the class path, with Spark first, so that Spark finds its dependencies in the right versions. */
  private static String classPath(ProgramRow row, Engine engine) {
    String classPath = engine.classPath();
    return row.isSpark() ? System.getProperty(ProgramRow.SPARK_CLASS_PATH) + ":" + classPath : classPath;
  }

  /** Copies the loaded store, so that all engines start with the same files. */
  private void copyRecords(Path target) throws IOException, InterruptedException {
    if (records == null) {
      records = Files.createDirectory(folder.path().resolve("records"));
      ProgramRow load = ProgramRow.all().stream().filter(ProgramRow::isLoad).findFirst().orElseThrow();
      start(load, RunMode.SHORT, Engine.JNI, 0, List.of(), records);
    }
    try (Stream<Path> files = Files.list(records)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
