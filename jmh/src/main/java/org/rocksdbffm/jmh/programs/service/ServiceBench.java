/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * The program behind {@code ./bench service}: runs a service with small limits on rocksdbjni, the drop-in and this
 * library, and reports the peak memory of its process. A cgroup limits the memory, if the operating system permits it.
 */
public final class ServiceBench {
  private static final String USAGE =
      """
      usage: ./bench service [--minutes N] [--memory MIB]
      Ten minutes for each engine and 512 MiB, unless others are given. A process that needs more is killed where this \
      user
      may limit memory (by a control group), and told of in any case.
      """;

  private static final int FAILURE = 1;
  private static final int MINUTES = 10;
  private static final int MEMORY_MIB = 512;
  private static final int SECONDS = 60;
  private static final int MOST = 100_000;
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT, Engine.FFM);

  private ServiceBench() {}

  /** Runs the service on each engine; exits with 1 if this library or the drop-in exceeded the limit. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, ServiceBench::start, words);
  }

  private static int start(String... words) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--minutes", "--memory"), words);
    int minutes = line.number("--minutes", MINUTES, MOST);
    int memory = line.number("--memory", MEMORY_MIB, MOST);
    boolean passed = true;
    System.out.printf(Locale.ROOT, "%-8s %9s %9s %9s %10s%n", "engine", "reads/s", "rows/s", "writes/s", "most MiB");
    for (Engine engine : ENGINES.stream().filter(Engine::isAvailable).toList()) {
      ServiceProcess.Outcome outcome = run(engine, minutes * SECONDS, memory);
      boolean below = outcome.mostResidentMib() <= memory;
      System.out.printf(
          Locale.ROOT, "%-8s %9.0f %9.0f %9.0f %10.0f %s%n", engine.id(),
          outcome.readsPerSecond(), outcome.rowsPerSecond(),
          outcome.writesPerSecond(), outcome.mostResidentMib(), below ? "" : "above the limit");
      passed &= below || engine == Engine.JNI;
    }
    return passed ? 0 : FAILURE;
  }

  /** Runs an engine's process with a memory limit; a killed process exits with 137. */
  static ServiceProcess.Outcome run(Engine engine, int seconds, int memoryMib)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create();
        MemoryGroup group = MemoryGroup.of(memoryMib)) {
      // A killed process leaves the extracted native library in its temporary folder.
      List<String> flags = List.of("-Xmx96m", "-Djava.io.tmpdir=" + folder.path());
      return Printed.in(
          ServiceProcess.Outcome.class,
          new EngineProcess(group.prefix(), engine.classPath(), flags)
              .run(line -> { }, ServiceProcess.class.getName(), engine.parameter(), folder.path(), seconds)
              .lines());
    }
  }
}
