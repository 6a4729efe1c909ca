/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.rocksdbffm.jmh.benchmarks.DataSetFiles;
import org.rocksdbffm.jmh.benchmarks.MachineTurn;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Pace;
import org.rocksdbffm.jmh.run.plan.PlannedRow;
import org.rocksdbffm.jmh.run.report.Outcome;

/** Forks of JMH: the forks of a row start and warm up together, and measure alternately. */
final class JmhTrial implements Trial {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final String CLASS_PATH = "java.class.path";
  private static final long POLL_NANOS = 2_000_000;

  private final Pace pace;
  private final Path dataFolder;

  /** Creates a trial whose forks read the prepared data sets of a folder. */
  JmhTrial(Pace pace, Path dataFolder) {
    this.pace = pace;
    this.dataFolder = dataFolder;
  }

  @Override
  public Map<Cell, Outcome> run(List<Cell> cells, Consumer<TrialException> failures) {
    return outcomes(together(cells), failures);
  }

  private static Map<Cell, Outcome> outcomes(
      Map<Cell, Future<Outcome>> futures, Consumer<TrialException> failures) {
    Map<Cell, Outcome> outcomes = new LinkedHashMap<>();
    futures.forEach((cell, future) -> {
      try {
        outcomes.put(cell, future.get());
      } catch (ExecutionException e) {
        failures.accept(
            e.getCause() instanceof TrialException failure
                ? failure
                : new TrialException(cell, e.getCause().toString(), e.getCause()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failures.accept(new TrialException(cell, "interrupted", e));
      }
    });
    return outcomes;
  }

  /** Runs the forks of cells concurrently, and waits for all of them. */
  private Map<Cell, Future<Outcome>> together(List<Cell> cells) {
    Map<Cell, Future<Outcome>> futures = new LinkedHashMap<>();
    try (Conductor conductor = new Conductor(cells.size());
        ExecutorService forks = Executors.newCachedThreadPool()) {
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = cells.get(i);
        int player = i;
        // A JMH fork uses its parent's class path, without an option for another.
        String ownClassPath = System.getProperty(CLASS_PATH);
        System.setProperty(CLASS_PATH, cell.engine().classPath());
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        Future<Outcome> future = forks.submit(() -> play(cell, player, conductor));
        futures.put(cell, future);
        while (!future.isDone() && ProcessHandle.current().children().allMatch(before::contains)) {
          LockSupport.parkNanos(POLL_NANOS);
        }
        System.setProperty(CLASS_PATH, ownClassPath);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return futures;
  }

  private Outcome play(Cell cell, int player, Conductor conductor) throws TrialException {
    try {
      List<String> turns =
          List.of("-D" + MachineTurn.SOCKET + "=" + conductor.socket(), "-D" + MachineTurn.PLAYER + "=" + player);
      Collection<RunResult> results = new Runner(options(cell, turns).build()).run();
      if (results.size() != 1) {
        throw new TrialException(cell, results.size() + " benchmarks have this name and these parameters", null);
      }
      return outcome(cell, results.iterator().next());
    } catch (RunnerException e) {
      throw new TrialException(cell, reason(e), e);
    } finally {
      conductor.hasEnded(player);
    }
  }

  /** Returns the message of the failure, which JMH wraps or adds as suppressed. */
  private static String reason(Throwable failure) {
    Throwable within = failure.getSuppressed().length > 0 ? failure.getSuppressed()[0] : failure.getCause();
    return within == null ? failure.toString() : reason(within);
  }

  private ChainedOptionsBuilder options(Cell cell, List<String> turns) {
    PlannedRow row = cell.row();
    // Prepended, because appended arguments would replace the common ones.
    List<String> properties = new ArrayList<>(turns);
    properties.addAll(List.of("-D" + DataSetFiles.SHARED + "=" + dataFolder, "-Djmh.ignoreLock=true"));
    properties.add("-Djava.io.tmpdir=" + dataFolder); // the files of a killed fork are deleted with the folder
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(row.benchmark()) + "$")
            .forks(1)
            .threads(cell.threads())
            .warmupIterations(pace.warmups())
            .warmupTime(time(pace.warmup()))
            .measurementIterations(pace.measurements())
            .measurementTime(time(pace.measurement(row)))
            .addProfiler(GCProfiler.class)
            .jvmArgsPrepend(properties.toArray(String[]::new))
            .param("engine", cell.engine().parameter())
            .param("dataMiB", Integer.toString(pace.dataMiB()))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    row.parameters().forEach(options::param);
    return row.sizes().areAny() ? options.param(row.sizes().parameter(), Integer.toString(cell.size())) : options;
  }

  private static TimeValue time(Duration duration) {
    return new TimeValue(duration.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Outcome outcome(Cell cell, RunResult result) {
    Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    return new Outcome(nanos(cell.row(), result), allocated == null ? null : allocated.getScore());
  }

  private static Map<String, double[]> nanos(PlannedRow row, RunResult result) {
    List<Result<?>> turns =
        result.getBenchmarkResults().iterator().next().getIterationResults().stream()
            .<Result<?>>map(IterationResult::getPrimaryResult)
            .toList();
    if (row.percentiles().isEmpty()) {
      return Map.of("", turns.stream().mapToDouble(Result::getScore).toArray());
    }
    Map<String, double[]> nanos = new LinkedHashMap<>();
    for (double rank : row.percentiles()) {
      double[] ofTurns = turns.stream().mapToDouble(each -> each.getStatistics().getPercentile(rank)).toArray();
      nanos.put(percentileName(rank), ofTurns);
    }
    return nanos;
  }

  static String percentileName(double rank) {
    return rank == Math.rint(rank) ? " p" + (int) rank : " p" + rank;
  }
}
