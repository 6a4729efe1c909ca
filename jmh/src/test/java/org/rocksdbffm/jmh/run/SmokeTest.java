/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.rocksdbffm.jmh.benchmarks.GuardBenchmark;
import org.rocksdbffm.jmh.entities.EntityBenchmark;
import org.rocksdbffm.jmh.ranges.RangesBenchmark;
import org.rocksdbffm.jmh.run.plan.Catalogue;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.Group;
import org.rocksdbffm.jmh.run.plan.PlannedRow;

/** Runs every row briefly on little data: detects failures; the measured times mean nothing. */
class SmokeTest {
  private static final String FEW_KEYS = "200";
  private static final TimeValue MOMENT = TimeValue.milliseconds(10);

  @ParameterizedTest
  @EnumSource(Group.class)
  void everyRowRunsWithEachOfItsEngines(Group group) throws RunnerException {
    for (PlannedRow row : Catalogue.rows()) {
      if (row.group() == group && !row.isStart()) {
        Set<Engine> engines = new TreeSet<>(row.engines());
        engines.removeIf(engine -> !engine.isAvailable());
        Collection<RunResult> results = new Runner(briefly(row, engines).build()).run();
        assertEquals(engines.size(), results.size(), row::name);
        results.forEach(result -> assertTrue(result.getPrimaryResult().getScore() > 0, row::name));
      }
    }
  }

  private static ChainedOptionsBuilder briefly(PlannedRow row, Set<Engine> engines) {
    ChainedOptionsBuilder options =
        brief(Pattern.quote(row.benchmark()) + "$")
            .param("engine", engines.stream().map(Engine::parameter).toArray(String[]::new))
            .param("dataMiB", "1");
    row.parameters().forEach((name, value) -> options.param(name, name.equals("keyCount") ? FEW_KEYS : value));
    return row.sizes().areAny()
        ? options.param(row.sizes().parameter(), Collections.min(row.sizes().full()).toString())
        : options;
  }

  private static ChainedOptionsBuilder brief(String benchmarks) {
    return new OptionsBuilder()
        .include("^" + benchmarks)
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(MOMENT)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  @Test
  void everyGuardRunsWithTwoThreads() throws RunnerException {
    Collection<RunResult> results = new Runner(brief(GuardBenchmark.class.getName()).threads(2).build()).run();
    assertTrue(results.size() > 5, results::toString);
  }

  @Test
  void everyBenchmarkIsARow() throws IOException {
    Set<String> rows =
        Catalogue.rows().stream().map(PlannedRow::benchmark).collect(Collectors.toCollection(TreeSet::new));
    Set<String> left = benchmarks();
    left.removeAll(rows);
    left.removeIf(benchmark -> benchmark.startsWith(GuardBenchmark.class.getName()));
    left.removeIf(benchmark -> benchmark.startsWith(EntityBenchmark.class.getName())); // only README's command runs it
    left.removeIf(benchmark -> benchmark.startsWith(RangesBenchmark.class.getName())); // as this one
    assertEquals(Set.of(), left);
  }

  /** The benchmarks that JMH's annotation processor found at compile time. */
  private static Set<String> benchmarks() throws IOException {
    try (InputStream list = SmokeTest.class.getResourceAsStream("/META-INF/BenchmarkList")) {
      Pattern line = Pattern.compile("^JMH S \\d+ (\\S+) S \\d+ \\S+ S \\d+ (\\S+) .*", Pattern.MULTILINE);
      return line.matcher(new String(list.readAllBytes(), StandardCharsets.UTF_8))
          .results()
          .map(match -> match.group(1) + "." + match.group(2))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
