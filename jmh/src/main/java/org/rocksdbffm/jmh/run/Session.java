/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.jmh.run.Trial.TrialException;

/**
 * Measures the cells of a plan in rounds, in each of which every cell has one JVM of its own: whatever the machine does
 * meanwhile, it does to all engines.
 */
final class Session {
  private final Plan plan;
  private final Pace pace;
  private final Progress progress;
  private final Instant started = Instant.now();
  private final Measurements measurements = new Measurements();
  private final List<TrialException> failures = new ArrayList<>();
  private int done;

  Session(Plan plan, Pace pace, Progress progress) {
    this.plan = plan;
    this.pace = pace;
    this.progress = progress;
  }

  /** Runs as many rounds as there is time for. */
  Measurements run() throws Exception {
    try (DataFolder data = DataFolder.create()) {
      data.prepare(plan, pace, progress);
      JmhTrial jmh = new JmhTrial(pace, data.path());
      StartTrial starts = new StartTrial(data.path());
      Duration longest = Duration.ZERO;
      for (int round = 0; round < pace.mostRounds() && hasTimeFor(round, longest); round++) {
        Instant begun = Instant.now();
        for (Cell cell : plan.round(round)) {
          measure(cell, cell.row().isStart() ? starts : jmh, longest);
        }
        Duration took = Duration.between(begun, Instant.now());
        longest = took.compareTo(longest) > 0 ? took : longest;
      }
    }
    progress.end();
    return measurements;
  }

  private boolean hasTimeFor(int round, Duration length) {
    return round < pace.leastRounds() || pace.budget() == null || fits(length);
  }

  private boolean fits(Duration length) {
    return Duration.between(started, Instant.now()).plus(length).compareTo(pace.budget()) <= 0;
  }

  /** As far as can be told after the first round. */
  private int expectedRounds(Duration round) {
    if (pace.budget() == null) {
      return pace.mostRounds();
    }
    long fitting = round.isZero() ? pace.leastRounds() : pace.budget().dividedBy(round);
    return Math.clamp(fitting, pace.leastRounds(), pace.mostRounds());
  }

  /** What fails once is not tried again. */
  private void measure(Cell cell, Trial trial, Duration round) {
    progress.next(cell, done++, plan.cells().size(), expectedRounds(round));
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
