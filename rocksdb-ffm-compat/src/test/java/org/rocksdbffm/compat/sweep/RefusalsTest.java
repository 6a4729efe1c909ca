/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drop-in rejects what rocksdbjni does not survive, and has evidence for each row. */
class RefusalsTest {
  private static final long LIMIT_MILLIS = 10_000;

  /** Most children wait for something that never comes. */
  private static final int CHILDREN = 5;

  /** The rows of a database that nothing happened to. */
  private static final String SOUND = "240 found, 240 forward, 240 backward, 4566c6ed";

  @TempDir Path folder;

  @Test
  void rocksdbjniEndsHangsOrGarblesWithEachRow() throws Exception {
    Map<String, String> outcomes = outcomes(SweepRun.ofRocksdbjni(LIMIT_MILLIS));
    List<String> survived = new ArrayList<>();
    outcomes.forEach((name, outcome) -> {
      if (outcome.equals(SOUND) || outcome.startsWith("1 backup") || outcome.endsWith(" bytes") || outcome.matches("[0-9]+ bytes, .*")) {
        survived.add(name);
      }
    });
    assertEquals(List.of(), survived, "rows without evidence");
  }

  @Test
  void theDropInRejectsEachRow() throws Exception {
    outcomes(SweepRun.ofDropIn(List.of(), LIMIT_MILLIS)).forEach((name, outcome) -> {
      String option = name.split(" ")[1];
      assertTrue(
          outcome.startsWith(SweepProgram.THROWS + "IllegalArgumentException: ")
              && outcome.contains(option)
              && outcome.contains(" is rejected, because rocksdbjni with it "),
          () -> name + ": " + outcome);
    });
  }

  private Map<String, String> outcomes(SweepRun run) throws Exception {
    Map<String, String> outcomes = new TreeMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(CHILDREN)) {
      List<Future<Map<String, String>>> all = new ArrayList<>();
      for (String one : RefusalCases.all()) {
        all.add(pool.submit(() -> run.outcomes(folder, RefusalProgram.class, one)));
      }
      for (Future<Map<String, String>> one : all) {
        outcomes.putAll(one.get());
      }
    }
    return outcomes;
  }
}
