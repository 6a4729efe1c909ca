/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.programs.process.Figures;
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
  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int USER_OF_CHILDREN = 13; // fields after the name, from 0
  private static final String SPARK_PROCESS = "org.rocksdbffm.jmh.spark.StateStoreProcess"; // of another module
  private static final double TICKS = 100; // a second; what Linux has told programs on all platforms since 2.6

  private final boolean quick;
  private final boolean aot;
  private final TemporaryFolder folder = TemporaryFolder.create();
  private final Map<String, Path> caches = new HashMap<>();
  private Path records; // a store that the YCSB client has filled

  ProgramRunner(ProgramArguments arguments) throws IOException {
    quick = arguments.quick();
    aot = arguments.aot();
  }

  /** Runs a program once. */
  ProgramRun run(ProgramRow row, Mode mode, Engine engine, long steps) throws IOException, InterruptedException {
    List<String> flags = aot ? List.of("-XX:AOTCache=" + cache(row, engine)) : List.of();
    return run(row, mode, engine, steps, flags);
  }

  /** An AOT cache that a short run of the same program has trained. */
  private Path cache(ProgramRow row, Engine engine) throws IOException, InterruptedException {
    String name = row.name() + "-" + engine.id();
    Path cache = caches.get(name);
    if (cache == null) {
      cache = folder.path().resolve(name + ".aot");
      run(row, Mode.SHORT, engine, Math.max(1, row.steps()), List.of("-XX:AOTCacheOutput=" + cache));
      caches.put(name, cache);
    }
    return cache;
  }

  private ProgramRun run(ProgramRow row, Mode mode, Engine engine, long steps, List<String> flags)
      throws IOException, InterruptedException {
    try (TemporaryFolder data = TemporaryFolder.create()) {
      if (row.isYcsb() && !row.isLoad()) {
        copyRecords(data.path());
      }
      return start(command(row, mode, engine, steps, flags, data.path()), mode);
    }
  }

  private List<String> command(
      ProgramRow row, Mode mode, Engine engine, long steps, List<String> flags, Path data) {
    List<String> command = java(classPath(row, engine), flags);
    if (row.isYcsb()) {
      command.addAll(List.of(YcsbProcess.class.getName(), engine.parameter(), row.workload(), data.toString()));
    } else {
      command.addAll(List.of(processOf(row), engine.parameter(), row.name(), data.toString()));
    }
    command.addAll(List.of(Long.toString(mode.warmUp(steps)), Long.toString(mode.measured(steps))));
    if (row.isYcsb()) {
      command.addAll(List.of(Integer.toString(row.threads()), Integer.toString(quick ? QUICK_RECORDS : RECORDS)));
    }
    return command;
  }

  private static String processOf(ProgramRow row) {
    return row.isSpark() ? SPARK_PROCESS : (row.isStreams() ? StreamsProcess.class : ProgramProcess.class).getName();
  }

  /** Spark comes first, so that it finds what it brings in the versions that it was built with. */
  private static String classPath(ProgramRow row, Engine engine) {
    String its = engine.classPath();
    return row.isSpark() ? System.getProperty(ProgramRow.SPARK_CLASS_PATH) + ":" + its : its;
  }

  private static List<String> java(String classPath, List<String> flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath));
    return command;
  }

  /** All engines begin with the same files. */
  private void copyRecords(Path target) throws IOException, InterruptedException {
    if (records == null) {
      records = Files.createDirectory(folder.path().resolve("records"));
      ProgramRow load = ProgramRow.all().stream().filter(ProgramRow::isLoad).findFirst().orElseThrow();
      start(command(load, Mode.SHORT, Engine.JNI, 0, List.of(), records), Mode.SHORT);
    }
    try (Stream<Path> files = Files.list(records)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
  }

  private static ProgramRun start(List<String> command, Mode mode) throws IOException, InterruptedException {
    double cpuBefore = cpuOfChildren();
    long before = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> output;
    try (BufferedReader reader = process.inputReader()) {
      output = reader.lines().toList();
    }
    int exit = process.waitFor();
    double seconds = (System.nanoTime() - before) / NANOS;
    double cpuSeconds = cpuOfChildren() - cpuBefore;
    Figures figures = Figures.in(output);
    if (exit != 0 || figures == null) {
      throw new IOException(command + " ended with " + exit + ":\n" + String.join("\n", output));
    }
    boolean whole = mode == Mode.SHORT;
    return new ProgramRun(
        figures,
        whole ? seconds : figures.nanos() / NANOS,
        whole && cpuSeconds > 0 ? cpuSeconds : figures.cpuNanos() / NANOS);
  }

  /** The processors' time of children that have ended; 0 where the platform does not tell. */
  private static double cpuOfChildren() throws IOException {
    if (!Files.isReadable(STAT)) {
      return 0;
    }
    String stat = Files.readString(STAT);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[USER_OF_CHILDREN]) + Long.parseLong(fields[USER_OF_CHILDREN + 1])) / TICKS;
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
