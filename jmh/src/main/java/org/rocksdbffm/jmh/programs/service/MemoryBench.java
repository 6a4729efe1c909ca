/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench memory}: sixty stores with one memory limit, on rocksdbjni and the drop-in. */
public final class MemoryBench {
  private static final String USAGE =
      """
      usage: ./bench memory [--seconds N] [--memory MIB] [--budget MIB] [--runs N]
      Sixty stores for 25 seconds below 512 MiB, of which 256 are for blocks and memtables: on rocksdbjni as Kafka's \
      guide of
      memory sets it up, and on the drop-in by its property, with the options left as they are. A process that needs \
      more is
      killed where this user may limit memory (by a control group). The growth is that of the resident memory from \
      before
      the first store is opened; the Java heap of 48 MiB is resident by then, what the JVM compiles later is in the \
      growth.
      """;

  private static final int MOST = 100_000;
  private static final String KILLED = " ended with 137:";
  private static final List<Engine> ENGINES = List.of(Engine.JNI, Engine.COMPAT);

  private MemoryBench() {}

  /** Runs the stores on each engine. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, MemoryBench::start, words);
  }

  private static int start(String... arguments) throws Exception {
    CommandLine line = CommandLine.parse(Set.of(), Set.of("--seconds", "--memory", "--budget", "--runs"), arguments);
    int seconds = line.number("--seconds", 25, MOST);
    int memory = line.number("--memory", 512, MOST);
    int budget = line.number("--budget", 256, MOST);
    int runs = line.number("--runs", 1, MOST);
    Map<Engine, List<StoresProcess.Outcome>> all = new EnumMap<>(Engine.class);
    for (int i = 0; i < runs; i++) {
      for (Engine engine : ENGINES) {
        StoresProcess.Outcome outcome = run(engine, seconds, memory, budget);
        System.out.println(engine.id() + ": " + (outcome == null ? "killed" : outcome));
        if (outcome != null) {
          all.computeIfAbsent(engine, _ -> new ArrayList<>()).add(outcome);
        }
      }
    }
    System.out.printf(
        "%n%d runs, budget %d MiB; least, median and most%n%-8s %7s %20s %17s %26s %26s%n", runs, budget, "engine",
            "killed",
        "growth MiB", "of the budget", "p99 us of the quiet store", "rows of the noisy one");
    for (Engine engine : ENGINES) {
      List<StoresProcess.Outcome> outcomes = all.getOrDefault(engine, List.of());
      System.out.printf(
          "%-8s %7d %20s %17s %26s %26s%n", engine.id(), runs - outcomes.size(),
              range("%.0f", outcomes, StoresProcess.Outcome::growthMib),
          range("%.2f", outcomes, each -> each.growthMib() / budget),
          range("%.0f", outcomes, StoresProcess.Outcome::p99Micros),
          range("%.0f", outcomes, StoresProcess.Outcome::written));
    }
    return 0;
  }

  private static String range(String format, List<StoresProcess.Outcome> outcomes,
      ToDoubleFunction<StoresProcess.Outcome> figure) {
    double[] sorted = outcomes.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0
        ? "-"
        : DoubleStream.of(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1])
            .mapToObj(each -> String.format(Locale.ROOT, format, each))
            .collect(joining(" "));
  }

  /** Returns the measurements of a run; null if the process was killed. */
  private static StoresProcess.Outcome run(Engine engine, int seconds, int memoryMib, int budgetMib)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create();
        MemoryGroup group = MemoryGroup.of(memoryMib)) {
      if (!group.limits()) {
        System.out.println("No control group could be made, so nothing is killed:");
      }
      List<String> flags =
          new ArrayList<>(List.of("-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Djava.io.tmpdir="
              + folder.path()));
      if (engine == Engine.COMPAT) {
        flags.add("-Dorg.rocksdbffm.compat.memory=" + budgetMib + "m");
      }
      return Printed.in(
          StoresProcess.Outcome.class,
          new EngineProcess(group.prefix(), engine.classPath(), flags)
              .run(line -> { }, StoresProcess.class.getName(), folder.path(), seconds, engine == Engine.JNI ? budgetMib
                  : 0)
              .lines());
    } catch (IOException ended) {
      if (ended.getMessage().contains(KILLED)) {
        return null;
      }
      throw ended;
    }
  }
}
