/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.process.Turns;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.Machine;

/** The program behind {@code ./bench programs}. */
public final class ProgramBench {
  private static final String LEGEND =
      """
      Medians of the processes, and the lowest and the highest. More steps a second are better, less of the \
      processors' time
      is; both are also set against the process of jni that ran in the same turn. In mode short a process is measured \
      from
      its start to its end; in mode steady, when it has warmed up. Bytes are allocated by Java for a step.
      """;

  private final ProgramArguments arguments;
  private final List<ProgramResult> results = new ArrayList<>();

  private ProgramBench(ProgramArguments arguments) {
    this.arguments = arguments;
  }

  /** Runs the requested programs. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(ProgramArguments.USAGE, ProgramBench::start, words);
  }

  private static int start(String... words) throws Exception {
    ProgramArguments arguments = ProgramArguments.parse(words);
    if (arguments.list()) {
      arguments.rows().forEach(row -> System.out.println(row.name()));
      return 0;
    }
    List<ProgramResult> old =
        arguments.old() == null ? List.of() : new ProgramFile(arguments.old()).read().results();
    ProgramBench bench = new ProgramBench(arguments);
    try (ProgramRunner runner = new ProgramRunner(arguments)) {
      bench.run(runner, "./bench programs " + String.join(" ", words));
    }
    System.out.print(ProgramResult.table(bench.results));
    System.out.println(LEGEND);
    if (arguments.old() != null) {
      System.out.print(new ProgramComparison(old, bench.results).text());
    }
    return 0;
  }

  private void run(ProgramRunner runner, String command) throws IOException, InterruptedException {
    for (ProgramRow row : arguments.rows()) {
      if (!row.isAvailable()) {
        System.err.println(row.name() + " is left out: there is no Spark");
        continue;
      }
      for (RunMode mode : row.modes().filter(arguments.modes()::contains).toList()) {
        System.err.println(row.name() + ", " + mode.id());
        measure(runner, row, mode);
        if (arguments.json() != null) {
          new ProgramFile(arguments.json())
              .write(new ProgramFile.Content(Machine.ofThis(command, arguments.forks()), results));
        }
      }
    }
  }

  private void measure(ProgramRunner runner, ProgramRow row, RunMode mode) throws IOException, InterruptedException {
    Turns<ProgramRun> turns =
        Turns.of(row.engines(), arguments.forks(), engine -> runner.run(row, mode, engine, arguments.steps(row)));
    long sum = turns.requireOneSum(row.name(), run -> run.figures().checksum());
    if (row.isYcsb() && sum != 0) {
      throw new IOException(row.name() + " had operations of the YCSB client that failed: " + turns);
    }
    for (Engine engine : row.engines().stream().filter(turns.runs()::containsKey).toList()) {
      results.add(
          ProgramResult.of(row.name(), mode, engine.id(), turns.runs().get(engine), turns.runs().get(Engine.JNI)));
    }
  }
}
