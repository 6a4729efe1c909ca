/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark, on little data and for a moment: the figures say nothing, but a failure does. */
class SmokeTest {
  private static final TimeValue MOMENT = TimeValue.milliseconds(50);

  @ParameterizedTest
  @ValueSource(
      classes = {
        GetBenchmark.class, ScanBenchmark.class, MultiGetBenchmark.class, WriteBenchmark.class, GuardBenchmark.class
      })
  void everyBenchmarkRuns(Class<?> benchmarks) throws RunnerException {
    Collection<RunResult> results = new Runner(briefly(benchmarks).build()).run();
    assertEquals(namesIn(benchmarks), namesOf(results));
    for (RunResult result : results) {
      assertTrue(result.getPrimaryResult().getScore() > 0, () -> result.getParams() + " measured nothing");
    }
  }

  private static ChainedOptionsBuilder briefly(Class<?> benchmarks) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmarks.getName() + "\\.")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(MOMENT)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    if (benchmarks == GetBenchmark.class) {
      options.param("valueSize", "100", "65536");
    } else if (benchmarks != GuardBenchmark.class) {
      options.param("valueSize", "100");
    }
    if (benchmarks == GuardBenchmark.class) {
      options.threads(2);
    } else if (benchmarks != WriteBenchmark.class) {
      options.param("dataMiB", "1");
    }
    return options;
  }

  private static Set<String> namesIn(Class<?> benchmarks) {
    return Arrays.stream(benchmarks.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Benchmark.class))
        .map(method -> benchmarks.getName() + "." + method.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> namesOf(Collection<RunResult> results) {
    return results.stream()
        .map(result -> result.getParams().getBenchmark())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
