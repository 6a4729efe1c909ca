/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.run.Trial.TrialException;
import org.rocksdbffm.jmh.run.plan.BenchArguments;
import org.rocksdbffm.jmh.run.plan.Catalogue;
import org.rocksdbffm.jmh.run.plan.MeasuringPlan;
import org.rocksdbffm.jmh.run.plan.Pace;
import org.rocksdbffm.jmh.run.report.Machine;
import org.rocksdbffm.jmh.run.report.Measurements;
import org.rocksdbffm.jmh.run.report.Plots;
import org.rocksdbffm.jmh.run.report.Result;
import org.rocksdbffm.jmh.run.report.ResultFile;
import org.rocksdbffm.jmh.run.report.ResultTable;
import org.rocksdbffm.jmh.run.report.RunComparison;

/** The program behind {@code ./bench}. */
public final class Bench {
  private static final int FAILURE = 1;
  private static final String LEGEND =
      """
      Medians of the rounds, in nanoseconds; the spread, from the lowest round to the highest, is of ffm, or of compat.
      A ratio above 1 means that it is faster: than the fastest that rocksdbjni has for the purpose, and than C.
      """;

  private Bench() {}

  /**
   * Runs the requested benchmarks; exits with 1 if something could not be measured.
   *
   * @param words see {@link BenchArguments#USAGE}
   */
  public static void main(String[] words) throws Exception {
    CommandLine.run(BenchArguments.USAGE, Bench::run, words);
  }

  private static int run(String... words) throws Exception {
    BenchArguments arguments = BenchArguments.parse(words);
    List<Result> old = old(arguments);
    MeasuringPlan plan = MeasuringPlan.of(arguments, Catalogue.rows());
    if (plan.cells().isEmpty()) {
      throw new CommandLine.Mistake("There is nothing to measure in these groups at this pace.");
    }
    Pace pace = arguments.pace();
    RunProgress progress = new RunProgress(System.out, System.console() != null);
    MeasuringSession session = new MeasuringSession(plan, pace, progress, InstantSource.system());
    Measurements measurements;
    try (DataFolder data = DataFolder.create()) {
      data.prepare(plan, pace, progress);
      JmhTrial jmh = new JmhTrial(pace, data.path());
      StartTrial starts = new StartTrial(data.path());
      // Results are written after each round, in case the next round is interrupted.
      measurements =
          session.run(
              (row, failures) -> (row.getFirst().row().isStart() ? starts : jmh).run(row, failures),
              known -> write(known, arguments));
    }
    List<Result> results = measurements.results();
    System.out.print(new ResultTable(results).text());
    System.out.println(LEGEND);
    if (arguments.json() != null) {
      new Plots(results).write(arguments.json().getParent(), new ResultFile(arguments.json()).stem());
    }
    if (arguments.old() != null) {
      System.out.print(new RunComparison(old, results));
    }
    for (TrialException failure : session.failures()) {
      System.err.println(failure.getMessage());
    }
    return session.failures().isEmpty() ? 0 : FAILURE;
  }

  private static List<Result> old(BenchArguments arguments) throws CommandLine.Mistake {
    try {
      return arguments.old() == null ? List.of() : new ResultFile(arguments.old()).read();
    } catch (IOException e) {
      throw new CommandLine.Mistake(e.getMessage());
    }
  }

  private static void write(Measurements measurements, BenchArguments arguments) {
    if (arguments.json() == null) {
      return;
    }
    try {
      new ResultFile(arguments.json())
          .write(measurements.results(), Machine.ofThis(arguments.command(), measurements.rounds()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
