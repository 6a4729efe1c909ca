/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.report.Machine;

/** The program behind {@code ./bench programs}. */
public final class ProgramBench {
  private static final int FAILURE = 1;
  private static final int MISTAKE = 2;
  private static final String LEGEND =
      """
      Medians of the processes, and the lowest and the highest. More steps a second are better, less of the processors' time
      is; both are also told against the process of jni that ran in the same turn. In mode short a process is measured from
      its start to its end; in mode steady, when it has warmed up. Bytes are allocated by Java for a step.
      """;

  private final ProgramArguments arguments;
  private final List<ProgramResult> results = new ArrayList<>();

  private ProgramBench(ProgramArguments arguments) {
    this.arguments = arguments;
  }

  /** Runs the programs that the command line asks for; exits with 2 if it says nothing that can be done. */
  public static void main(String[] words) throws Exception {
    if (List.of(words).contains("--help")) {
      System.out.println(ProgramArguments.USAGE);
      return;
    }
    ProgramArguments arguments = null;
    List<ProgramResult> old = List.of();
    try {
      arguments = ProgramArguments.parse(words);
      old = arguments.old() == null ? List.of() : new ProgramFile(arguments.old()).read().results();
    } catch (ProgramArguments.Mistake | IOException e) {
      System.err.println(e.getMessage());
      System.err.println(ProgramArguments.USAGE);
      System.exit(MISTAKE);
    }
    if (arguments.list()) {
      arguments.rows().forEach(row -> System.out.println(row.name()));
      return;
    }
    ProgramBench bench = new ProgramBench(arguments);
    try (ProgramRunner runner = new ProgramRunner(arguments)) {
      bench.run(runner, "./bench programs " + String.join(" ", words));
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(FAILURE);
    }
    System.out.print(new ProgramTable(bench.results).text());
    System.out.println(LEGEND);
    if (arguments.old() != null) {
      System.out.print(new ProgramComparison(old, bench.results).text());
    }
  }

  private void run(ProgramRunner runner, String command) throws IOException, InterruptedException {
    for (ProgramRow row : arguments.rows()) {
      if (!row.isAvailable()) {
        System.err.println(row.name() + " is left out: there is no Spark");
        continue;
      }
      for (Mode mode : row.modes().filter(arguments.modes()::contains).toList()) {
        System.err.println(row.name() + ", " + mode.id());
        measure(runner, row, mode);
        if (arguments.json() != null) {
          new ProgramFile(arguments.json())
              .write(new ProgramFile.Content(Machine.ofThis(command, arguments.forks()), results));
        }
      }
    }
  }

  /** Runs the engines by turns, each time in another order. */
  private void measure(ProgramRunner runner, ProgramRow row, Mode mode) throws IOException, InterruptedException {
    Map<Engine, List<ProgramRun>> runs = new EnumMap<>(Engine.class);
    List<Engine> engines = new ArrayList<>(row.engines().stream().filter(Engine::isAvailable).toList());
    for (int fork = 0; fork < arguments.forks(); fork++) {
      for (Engine engine : engines) {
        ProgramRun run = runner.run(row, mode, engine, arguments.steps(row));
        runs.computeIfAbsent(engine, its -> new ArrayList<>()).add(run);
      }
      Collections.rotate(engines, 1);
    }
    requireEqualResults(row, runs);
    for (Engine engine : row.engines().stream().filter(runs::containsKey).toList()) {
      results.add(ProgramResult.of(row.name(), mode, engine.id(), runs.get(engine), runs.get(Engine.JNI)));
    }
  }

  /** All processes of a program have read the same; of the YCSB client, none has failed. */
  private static void requireEqualResults(ProgramRow row, Map<Engine, List<ProgramRun>> runs) throws IOException {
    List<Long> sums =
        runs.values().stream().flatMap(List::stream).map(run -> run.figures().checksum()).distinct().toList();
    if (sums.size() != 1 || (row.isYcsb() && sums.getFirst() != 0)) {
      throw new IOException(row.name() + " did not read the same everywhere: " + runs);
    }
  }
}
