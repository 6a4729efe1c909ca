/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdbffm.jmh.run.Trial.TrialException;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.MeasuringPlan;
import org.rocksdbffm.jmh.run.plan.Pace;
import org.rocksdbffm.jmh.run.report.Measurements;

/**
 * Measures the cells of a plan in rounds. In each round, every cell has a separate process, and a disturbance of the
 * machine affects all engines.
 */
final class MeasuringSession {
  private final MeasuringPlan plan;
  private final Pace pace;
  private final RunProgress progress;
  private final InstantSource clock;
  private final Instant started;
  private final Measurements measurements = new Measurements();
  private final List<TrialException> failures = new ArrayList<>();
  private Duration longestRound = Duration.ZERO; // among the first rounds
  private int done;

  /** Starts a session, and its time budget. */
  MeasuringSession(MeasuringPlan plan, Pace pace, RunProgress progress, InstantSource clock) {
    this.plan = plan;
    this.pace = pace;
    this.progress = progress;
    this.clock = clock;
    this.started = clock.instant();
  }

  /** Runs rounds while there is time, and passes the measurements to a consumer after each round. */
  Measurements run(Trial trial, Consumer<Measurements> shown) {
    for (int round = 0; round < pace.mostRounds() && hasTimeFor(round); round++) {
      Instant start = clock.instant();
      for (List<Cell> row : plan.round(round, isFurther(round))) {
        measure(row, trial, round);
      }
      Duration took = Duration.between(start, clock.instant());
      if (!isFurther(round) && took.compareTo(longestRound) > 0) {
        longestRound = took;
      }
      shown.accept(measurements);
    }
    progress.end();
    return measurements;
  }

  private boolean isFurther(int round) {
    return round >= pace.leastRounds();
  }

  private boolean hasTimeFor(int round) {
    return !isFurther(round)
        || pace.budget() == null
        || elapsed().plus(lengthOfFurther()).compareTo(pace.budget()) <= 0;
  }

  /** Returns the expected time of a further round, in proportion to its cells. */
  private Duration lengthOfFurther() {
    return longestRound.multipliedBy(plan.oftener().size()).dividedBy(plan.cells().size());
  }

  private Duration elapsed() {
    return Duration.between(started, clock.instant());
  }

  /** Returns the expected number of rounds, which is estimated after the first round. */
  private int expectedRounds() {
    if (pace.budget() == null) {
      return pace.mostRounds();
    }
    Duration further = lengthOfFurther();
    if (further.isZero()) {
      return pace.leastRounds();
    }
    Duration left = pace.budget().minus(longestRound.multipliedBy(pace.leastRounds()));
    return Math.clamp(pace.leastRounds() + left.dividedBy(further), pace.leastRounds(), pace.mostRounds());
  }

  private int expectedCells() {
    int first = pace.leastRounds() * plan.cells().size();
    return first + (expectedRounds() - pace.leastRounds()) * plan.oftener().size();
  }

  /** Measures a row; a cell that failed is not measured again. */
  private void measure(List<Cell> row, Trial trial, int round) {
    String where = "round %d of %d".formatted(round + 1, expectedRounds());
    progress.next(row, done, expectedCells(), where, elapsed());
    done += row.size();
    List<Cell> left = row.stream().filter(cell -> !measurements.isGivenUp(cell)).toList();
    if (!left.isEmpty()) {
      List<Cell> players = new ArrayList<>(left);
      players.addAll(measurements.guests(left));
      measurements.add(left, trial.run(players, this::giveUp));
    }
  }

  private void giveUp(TrialException failure) {
    measurements.giveUp(failure.cell());
    failures.add(failure);
  }

  List<TrialException> failures() {
    return failures;
  }
}
