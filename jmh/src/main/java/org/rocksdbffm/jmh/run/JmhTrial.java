/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;
import org.rocksdbffm.jmh.StoredRows;

/** One fork of JMH. */
final class JmhTrial implements Trial {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final String CLASS_PATH = "java.class.path";

  private final Pace pace;
  private final Path dataFolder;

  /** The data sets lie ready in the folder. */
  JmhTrial(Pace pace, Path dataFolder) {
    this.pace = pace;
    this.dataFolder = dataFolder;
  }

  @Override
  public Outcome run(Cell cell) throws TrialException {
    String ownClassPath = System.getProperty(CLASS_PATH);
    // A fork gets the class path of its parent, and JMH has no option for another.
    System.setProperty(CLASS_PATH, cell.engine().classPath());
    try {
      Collection<RunResult> results = new Runner(options(cell).build()).run();
      if (results.size() != 1) {
        throw new TrialException(cell, results.size() + " benchmarks have this name and these parameters", null);
      }
      return outcome(cell, results.iterator().next());
    } catch (RunnerException e) {
      throw new TrialException(cell, reason(e), e);
    } finally {
      System.setProperty(CLASS_PATH, ownClassPath);
    }
  }

  /** JMH wraps what went wrong, or puts it beside. */
  private static String reason(Throwable failure) {
    Throwable within = failure.getSuppressed().length > 0 ? failure.getSuppressed()[0] : failure.getCause();
    return within == null ? failure.toString() : reason(within);
  }

  private ChainedOptionsBuilder options(Cell cell) {
    Row row = cell.row();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(row.benchmark()) + "$")
            .forks(1)
            .threads(cell.threads())
            .warmupIterations(pace.warmups())
            .warmupTime(time(pace.warmup()))
            .measurementIterations(pace.measurements())
            .measurementTime(time(pace.measurement()))
            .addProfiler(GCProfiler.class)
            .jvmArgsPrepend("-D" + StoredRows.SHARED + "=" + dataFolder, "-Djmh.ignoreLock=true")
            .param("engine", cell.engine().parameter())
            .param("dataMiB", Integer.toString(pace.dataMiB()))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    row.parameters().forEach(options::param);
    return row.hasSizes() ? options.param(row.sizeParameter(), Integer.toString(cell.size())) : options;
  }

  private static TimeValue time(Duration duration) {
    return new TimeValue(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Outcome outcome(Cell cell, RunResult result) {
    Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    return new Outcome(nanos(cell.row(), result), allocated == null ? null : allocated.getScore());
  }

  private static Map<String, Double> nanos(Row row, RunResult result) {
    if (row.percentiles().isEmpty()) {
      double[] iterations =
          result.getBenchmarkResults().iterator().next().getIterationResults().stream()
              .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
              .toArray();
      return Map.of("", Spread.of(iterations).median());
    }
    Statistics times = result.getPrimaryResult().getStatistics();
    Map<String, Double> nanos = new LinkedHashMap<>();
    row.percentiles().forEach(rank -> nanos.put(percentileName(rank), times.getPercentile(rank)));
    return nanos;
  }

  static String percentileName(double rank) {
    return rank == Math.rint(rank) ? " p" + (int) rank : " p" + rank;
  }
}
