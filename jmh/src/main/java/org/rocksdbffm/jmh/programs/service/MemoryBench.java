/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench memory}: sixty stores below one limit of memory, on rocksdbjni and on the drop-in. */
public final class MemoryBench {
  private static final String USAGE =
      """
      usage: ./bench memory [--seconds N] [--memory MIB] [--budget MIB] [--runs N]
      Sixty stores for a minute below 512 MiB, of which 256 are for blocks and memtables: on rocksdbjni as Kafka's guide of
      memory sets it up, and on the drop-in by its property, with the options left as they are. A process that needs more is
      killed where this user may limit memory (by a control group).
      """;

  private static final int MOST = 100_000;

  private MemoryBench() {}

  /** Runs the stores on each engine. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, MemoryBench::start, words);
  }

  private static int start(String... arguments) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--seconds", "--memory", "--budget", "--runs"), arguments);
    int seconds = line.number("--seconds", 60, MOST);
    int memory = line.number("--memory", 512, MOST);
    int budget = line.number("--budget", 256, MOST);
    System.out.printf(
        Locale.ROOT, "%-8s %10s %10s %9s %9s %9s %10s%n", "engine", "most MiB", "at first", "p50 us", "p99 us", "most us", "written");
    for (int i = 0; i < line.number("--runs", 1, MOST); i++) {
      for (Engine engine : List.of(Engine.JNI, Engine.COMPAT)) {
        try {
          StoresProcess.Outcome its = run(engine, seconds, memory, budget);
          System.out.printf(
              Locale.ROOT, "%-8s %10.0f %10.0f %9.0f %9.0f %9.0f %10d%n", engine.id(), its.mostResidentMib(),
              its.residentAtFirstMib(), its.p50Micros(), its.p99Micros(), its.mostMicros(), its.written());
        } catch (IOException ended) {
          String words = ended.getMessage().replaceAll("(?s).*( ended with \\d+).*", "$1"); // 137 where it was killed
          System.out.printf(Locale.ROOT, "%-8s%s%n", engine.id(), words);
        }
      }
    }
    return 0;
  }

  private static StoresProcess.Outcome run(Engine engine, int seconds, int memoryMib, int budgetMib)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create();
        MemoryGroup group = MemoryGroup.of(memoryMib)) {
      List<String> flags = new ArrayList<>(List.of("-Xmx48m", "-Djava.io.tmpdir=" + folder.path()));
      if (engine == Engine.COMPAT) {
        flags.add("-Dorg.rocksdbffm.compat.memory=" + budgetMib + "m");
      }
      return Printed.in(
          StoresProcess.Outcome.class,
          new EngineProcess(group.prefix(), engine.classPath(), flags)
              .run(line -> { }, StoresProcess.class.getName(), folder.path(), seconds, engine == Engine.JNI ? budgetMib : 0)
              .lines());
    }
  }
}
