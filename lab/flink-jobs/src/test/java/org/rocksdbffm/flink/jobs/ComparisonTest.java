/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.clients.Program;
import org.rocksdbffm.clients.Turn;

/**
 * Measures jobs alternately on Flink's fork of rocksdbjni and on rocksdb-ffm, and prints a table. The system property
 * sets the number of runs of each job.
 */
@EnabledIfSystemProperty(named = ComparisonTest.RUNS, matches = "\\d+")
class ComparisonTest {
  static final String RUNS = "rocksdbffm.flink.runs";

  /** A measured time or size; all other output of a job must be equal on both libraries. */
  private static final String FIGURES = "(.*) (ms|KiB)";

  private static final int SECONDS = 300;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aLoadEndsAlikeOnBoth(JobLoad load) throws IOException {
    Program program =
        new Program(MeasuredJob.class.getName(), System.getProperty("jobs.class.path"), FlinkJobsTest.FLAGS, SECONDS);
    Map<String, Map<Turn, List<Long>>> found = new TreeMap<>();
    for (int run = 0; run < Integer.getInteger(RUNS); run++) {
      for (Turn turn : Turn.values()) {
        for (String answer : program.answers(turn, folder.resolve(turn.name() + run), load.name())) {
          String[] parts = answer.split(": ");
          found.computeIfAbsent(parts[1], name -> new TreeMap<>())
              .computeIfAbsent(turn, first -> new ArrayList<>())
              .add(Long.valueOf(parts[2]));
        }
      }
    }
    found.forEach(
        (name, values) -> {
          if (name.matches(FIGURES)) {
            row(load + ", " + name, values.get(Turn.ROCKSDBJNI), values.get(Turn.DROP_IN));
          } else {
            assertEquals(values.get(Turn.ROCKSDBJNI), values.get(Turn.DROP_IN), name);
          }
        });
  }

  private static void row(String name, List<Long> fork, List<Long> ours) {
    System.out.printf(
        "%-40s frocksdbjni %-26s rocksdb-ffm %-26s %.2f%n", name, spread(fork), spread(ours),
            (double) median(ours) / median(fork));
  }

  private static String spread(List<Long> values) {
    List<Long> sorted = values.stream().sorted().toList();
    return String.format("%,d (%,d to %,d)", median(values), sorted.getFirst(), sorted.getLast());
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
