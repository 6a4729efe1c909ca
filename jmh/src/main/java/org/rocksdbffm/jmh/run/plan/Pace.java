/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.time.Duration;

/**
 * The pace of a run: the time and the number of measurements of its cells. The JVMs of a row warm up together, and then
 * measure alternately, each for a short time. On a quiet machine, measurements differ more between JVMs than within a
 * JVM; on a machine with other load they differ by half from second to second, so that only adjacent turns can be
 * compared.
 *
 * @param warmups the number of warm-up iterations
 * @param warmup the time of each
 * @param measurements the number of measured turns
 * @param measurement the time of each turn, for averages
 * @param leastRounds the number of rounds of each cell, each in a new JVM
 * @param mostRounds the number of rounds if there is time; see {@link MeasuringPlan#oftener}
 * @param budget the time for all rounds, null for no limit
 * @param dataMiB the size of the data to read
 */
public record Pace(
    int warmups,
    Duration warmup,
    int measurements,
    Duration measurement,
    int leastRounds,
    int mostRounds,
    Duration budget,
    int dataMiB) {
  private static final int AS_LONG_FOR_THE_SLOWEST = 10;

  /** Returns the duration of turns; longer for percentiles, which need more samples. */
  public Duration measurement(PlannedRow row) {
    return row.percentiles().isEmpty() ? measurement : measurement.multipliedBy(AS_LONG_FOR_THE_SLOWEST);
  }

  /** A quick run of a group, in two minutes. */
  public static final Pace QUICK =
      new Pace(6, Duration.ofMillis(300), 11, Duration.ofMillis(50), 1, 5, Duration.ofSeconds(112), 80);

  /** The most important rows, in ten minutes. */
  public static final Pace HEADLINE =
      new Pace(6, Duration.ofMillis(400), 15, Duration.ofMillis(50), 1, 5, Duration.ofSeconds(570), 100);

  /** For published results: a group in up to an hour and a half, all groups in less than two hours. */
  public static final Pace FULL =
      new Pace(6, Duration.ofMillis(400), 15, Duration.ofMillis(50), 1, 5, Duration.ofMinutes(100), 100);
}
