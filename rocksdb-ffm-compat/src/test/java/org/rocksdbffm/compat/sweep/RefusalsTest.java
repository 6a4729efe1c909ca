/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drop-in rejects values with which rocksdbjni fails, and each row has evidence. */
class RefusalsTest {
  private static final long LIMIT_MILLIS = 10_000;

  /** A rejection does not wait, but the machine may be busy. */
  private static final long LIMIT_OF_REJECTIONS_MILLIS = 120_000;

  /** The build runs rocksdbjni with one in eight cases, the same in each build; {@code .ci/sweeps} runs all. */
  private static final int STEP = System.getProperty("rocksdbffm.sweep") == null ? 8 : 1;

  /** Most child processes wait forever. */
  private static final int CHILDREN = 5;

  /** The entries of an undamaged database. */
  private static final String SOUND = "240 found, 240 forward, 240 backward, 4566c6ed";

  @TempDir Path folder;

  @Test
  void rocksdbjniEndsHangsOrGarblesWithEachRow() throws Exception {
    Map<String, String> outcomes = outcomesOfRocksdbjni();
    List<String> survived = new ArrayList<>();
    outcomes.forEach((name, outcome) -> {
      if (outcome.equals(SOUND) || outcome.startsWith("1 backup") || outcome.endsWith(" bytes")
          || outcome.matches("[0-9]+ bytes, .*")) {
        survived.add(name);
      }
    });
    assertEquals(List.of(), survived, "rows without evidence");
  }

  @Test
  void theDropInRejectsEachRow() throws Exception {
    String[] cases = RefusalCases.all().toArray(String[]::new);
    Map<String, String> outcomes =
        SweepRun.ofDropIn(List.of(), LIMIT_OF_REJECTIONS_MILLIS).outcomes(folder, RefusalProgram.class, cases);
    assertEquals(Set.of(cases), outcomes.keySet());
    outcomes.forEach((name, outcome) -> {
      String option = name.split(" ")[1];
      assertTrue(
          outcome.startsWith(SweepProgram.THROWS + "IllegalArgumentException: ")
              && outcome.contains(option)
              && outcome.contains(" is rejected, because rocksdbjni with it "),
          () -> name + ": " + outcome);
    });
  }

  /** Returns rocksdbjni's outcomes. One process for each case, because most cases end it or hang. */
  private Map<String, String> outcomesOfRocksdbjni() throws Exception {
    List<String> cases = RefusalCases.all();
    Map<String, String> outcomes = new TreeMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(CHILDREN)) {
      List<Future<Map<String, String>>> all = new ArrayList<>();
      for (int i = 0; i < cases.size(); i += STEP) {
        String one = cases.get(i);
        all.add(pool.submit(() -> SweepRun.ofRocksdbjni(LIMIT_MILLIS).outcomes(folder, RefusalProgram.class, one)));
      }
      for (Future<Map<String, String>> one : all) {
        outcomes.putAll(one.get());
      }
    }
    return outcomes;
  }
}
