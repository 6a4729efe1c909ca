/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.run.plan.BenchArguments;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.MeasuringPlan;
import org.rocksdbffm.jmh.run.plan.Pace;
import org.rocksdbffm.jmh.run.report.Measurements;
import org.rocksdbffm.jmh.run.report.Outcome;
import org.rocksdbffm.jmh.run.report.Samples;

class SessionTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final RunProgress progress = new RunProgress(new PrintStream(said, true, StandardCharsets.UTF_8), true);
  private final List<Cell> measured = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  private MeasuringSession session(Duration budget) throws Exception {
    return session(budget, "get", "--quick");
  }

  private MeasuringSession session(Duration budget, String... words) throws Exception {
    Pace pace = new Pace(1, Duration.ZERO, 1, Duration.ZERO, 2, 5, budget, 1);
    MeasuringPlan plan = MeasuringPlan.of(BenchArguments.parse(words),
        List.of(Samples.row("get | array | Samples.array | sizes=100,4096 | quick=100 | headline=100")));
    return new MeasuringSession(plan, pace, progress, () -> now);
  }

  /** Measures each cell, which takes a second of the test's clock. */
  private Map<Cell, Outcome> measure(List<Cell> row, Consumer<Trial.TrialException> failures) {
    Map<Cell, Outcome> outcomes = new LinkedHashMap<>();
    for (Cell cell : row) {
      measured.add(cell);
      now = now.plusSeconds(1);
      outcomes.put(cell, Samples.outcome(measured.size()));
    }
    return outcomes;
  }

  @Test
  void thereAreAsManyRoundsAsFitIntoTheTime() throws Exception {
    assertEquals(4, session(Duration.ofSeconds(14)).run(this::measure, known -> {}).rounds());
    assertEquals(12, measured.size());
  }

  @Test
  void thereAreNeverFewerThanTheLeastNorMoreThanTheMost() throws Exception {
    assertEquals(2, session(Duration.ofSeconds(1)).run(this::measure, known -> {}).rounds());
    assertEquals(5, session(Duration.ofHours(1)).run(this::measure, known -> {}).rounds());
    assertEquals(5, session(null).run(this::measure, known -> {}).rounds());
  }

  @Test
  void furtherRoundsOfAllAreShorterAndFitIntoTheTime() throws Exception {
    List<Integer> known = new ArrayList<>();
    MeasuringSession session = session(Duration.ofSeconds(18), "all");
    assertEquals(4, session.run(this::measure, soFar -> known.add(soFar.rounds())).rounds());
    assertEquals(6 + 6 + 3 + 3, measured.size());
    assertEquals(List.of(1, 2, 3, 4), known);
    String lines = said.toString(StandardCharsets.UTF_8);
    assertTrue(lines.contains("[13/18, round 3 of 4] about 0:06 left;"), lines);
  }

  @Test
  void whatARowLacksIsMeasuredBesideItAndDoesNotCountAsACell() throws Exception {
    Pace pace = new Pace(1, Duration.ZERO, 1, Duration.ZERO, 1, 1, null, 1);
    MeasuringPlan plan =
        MeasuringPlan.of(BenchArguments.parse("get", "--quick"), List.of(Samples.ARRAY, Samples.PINNED));
    List<List<Engine>> players = new ArrayList<>();
    new MeasuringSession(plan, pace, progress, () -> now)
        .run(
            (row, failures) -> {
              players.add(row.stream().map(Cell::engine).toList());
              return measure(row, failures);
            },
            known -> {});
    assertEquals(
        List.of(List.of(Engine.NATIVE, Engine.JNI, Engine.FFM), List.of(Engine.NATIVE, Engine.FFM, Engine.JNI)),
        players);
    assertTrue(said.toString(StandardCharsets.UTF_8).contains("[4/5, round 1 of 1]"), said::toString);
  }

  @Test
  void whatFailsIsToldAndTheOthersAreMeasured() throws Exception {
    MeasuringSession session = session(null);
    Measurements measurements =
        session.run(
            (row, failures) -> {
              Map<Cell, Outcome> outcomes = measure(row, failures);
              for (Cell cell : row) {
                if (cell.engine() == Engine.JNI) {
                  outcomes.remove(cell);
                  failures.accept(new Trial.TrialException(cell, "for a test", null));
                }
              }
              return outcomes;
            },
            known -> {});
    assertEquals(2, measurements.results().size());
    assertEquals(
        List.of("get: array, 100 B, jni could not be measured: for a test"),
        session.failures().stream().map(Exception::getMessage).toList());
  }

  @Test
  void theTimeLeftIsTold() throws Exception {
    session(Duration.ofSeconds(6)).run(this::measure, known -> {});
    String lines = said.toString(StandardCharsets.UTF_8);
    assertTrue(lines.contains("[1/6, round 1 of 2] get: array, 100 B"), lines);
    assertTrue(lines.contains("[4/6, round 2 of 2] about 0:03 left; get: array, 100 B"), lines);
  }
}
