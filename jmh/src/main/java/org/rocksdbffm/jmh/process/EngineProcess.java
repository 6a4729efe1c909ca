/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.run.plan.Engine;

/**
 * A JVM with an engine, which runs a main class until it ends.
 *
 * @param launcher a prefix of the command, for example to run it in a cgroup
 * @param classPath the class path, which includes the engine
 * @param flags of the JVM
 */
public record EngineProcess(List<String> launcher, String classPath, List<String> flags) {
  private static final double NANOS = 1e9;
  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int USER_OF_CHILDREN = 13; // fields after the name, from 0
  private static final double TICKS = 100; // per second, on all platforms since Linux 2.6

  /**
   * The outcome of a process that has exited with 0.
   *
   * @param seconds from its start to its end
   * @param firstLineSeconds from its start to the first line that it printed
   * @param cpuSeconds its CPU time; 0 if the platform does not report it
   */
  public record Ended(List<String> lines, double seconds, double firstLineSeconds, double cpuSeconds) {}

  public static EngineProcess of(Engine engine, String... flags) {
    return new EngineProcess(List.of(), engine.classPath(), List.of(flags));
  }

  /** Runs a class, and passes each line of its output to a consumer. */
  public Ended run(Consumer<String> watcher, String mainClass, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(
        List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, mainClass));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    ProcessBuilder builder = new ProcessBuilder(command);
    if (!launcher.isEmpty()) { // unsets settings of ./bench with which the C library retains freed memory
      builder.environment().keySet().removeIf(name -> name.startsWith("MALLOC_"));
    }
    return run(watcher, builder);
  }

  /** Runs any command. */
  public static Ended run(List<String> command) throws IOException, InterruptedException {
    return run(line -> { }, new ProcessBuilder(command));
  }

  private static Ended run(Consumer<String> watcher, ProcessBuilder builder) throws IOException, InterruptedException {
    double cpuBefore = cpuOfChildren();
    long before = System.nanoTime();
    Process process = builder.redirectErrorStream(true).start();
    List<String> lines = new ArrayList<>();
    long first = before;
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        first = lines.isEmpty() ? System.nanoTime() : first;
        watcher.accept(line);
        lines.add(line);
      }
    }
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(builder.command() + " ended with " + exit + ":\n" + String.join("\n", lines));
    }
    double seconds = (System.nanoTime() - before) / NANOS;
    return new Ended(lines, seconds, (first - before) / NANOS, cpuOfChildren() - cpuBefore);
  }

  private static double cpuOfChildren() throws IOException {
    if (!Files.isReadable(STAT)) {
      return 0;
    }
    String stat = Files.readString(STAT);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[USER_OF_CHILDREN]) + Long.parseLong(fields[USER_OF_CHILDREN + 1])) / TICKS;
  }
}
