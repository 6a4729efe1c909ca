/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.jmh.run.Trial.TrialException;

/**
 * Measures the cells of a plan in rounds, in each of which every cell has one process of its own: whatever the machine
 * does meanwhile, it does to all engines.
 */
final class Session {
  private final Plan plan;
  private final Pace pace;
  private final Progress progress;
  private final InstantSource clock;
  private final Instant started;
  private final Measurements measurements = new Measurements();
  private final List<TrialException> failures = new ArrayList<>();
  private Duration longestRound = Duration.ZERO;
  private int done;

  /** A session whose time begins now. */
  Session(Plan plan, Pace pace, Progress progress, InstantSource clock) {
    this.plan = plan;
    this.pace = pace;
    this.progress = progress;
    this.clock = clock;
    this.started = clock.instant();
  }

  /** Runs as many rounds as there is time for. */
  Measurements run(Trial trial) {
    for (int round = 0; round < pace.mostRounds() && hasTimeFor(round); round++) {
      Instant begun = clock.instant();
      plan.round(round).forEach(cell -> measure(cell, trial));
      Duration took = Duration.between(begun, clock.instant());
      longestRound = took.compareTo(longestRound) > 0 ? took : longestRound;
    }
    progress.end();
    return measurements;
  }

  private boolean hasTimeFor(int round) {
    if (round < pace.leastRounds() || pace.budget() == null) {
      return true;
    }
    return elapsed().plus(longestRound).compareTo(pace.budget()) <= 0;
  }

  private Duration elapsed() {
    return Duration.between(started, clock.instant());
  }

  /** As far as can be told after the first round. */
  private int expectedRounds() {
    if (pace.budget() == null) {
      return pace.mostRounds();
    }
    long fitting = longestRound.isZero() ? pace.leastRounds() : pace.budget().dividedBy(longestRound);
    return Math.clamp(fitting, pace.leastRounds(), pace.mostRounds());
  }

  /** What fails once is not tried again. */
  private void measure(Cell cell, Trial trial) {
    progress.next(cell, done++, plan.cells().size(), expectedRounds(), elapsed());
    if (measurements.isGivenUp(cell)) {
      return;
    }
    try {
      measurements.add(cell, trial.run(cell));
    } catch (TrialException e) {
      measurements.giveUp(cell);
      failures.add(e);
    }
  }

  List<TrialException> failures() {
    return failures;
  }
}
