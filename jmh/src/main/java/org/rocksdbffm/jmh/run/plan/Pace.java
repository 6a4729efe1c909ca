/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.time.Duration;

/**
 * The pace of a run: how long its cells are measured, and how often. The JVMs of a row warm up together, on the
 * processors that there are, and then each measures for a moment in its turn. Figures differ from JVM to JVM more than
 * within one, if the machine is quiet; where others use it too, they differ by half from second to second, and only
 * turns that follow each other can be compared.
 *
 * @param warmups iterations before those that count
 * @param warmup the time of each
 * @param measurements turns, which count
 * @param measurement the time of each, where averages are measured
 * @param leastRounds each cell is measured in so many rounds, in one JVM each
 * @param mostRounds as many, if there is time; see {@link Plan#oftener}
 * @param budget the time for all rounds, null for no limit
 * @param dataMiB how much data there is to read
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

  /** The time of a turn: of the slowest times a short one has too few. */
  public Duration measurement(Row row) {
    return row.percentiles().isEmpty() ? measurement : measurement.multipliedBy(AS_LONG_FOR_THE_SLOWEST);
  }

  /** A first look at a group, in two minutes. */
  public static final Pace QUICK =
      new Pace(6, Duration.ofMillis(300), 11, Duration.ofMillis(50), 1, 5, Duration.ofSeconds(112), 80);

  /** The rows that matter most, in ten minutes. */
  public static final Pace HEADLINE =
      new Pace(6, Duration.ofMillis(400), 15, Duration.ofMillis(50), 1, 5, Duration.ofSeconds(570), 100);

  /** For results that are kept: a group in up to an hour and a half, all of them in less than two hours. */
  public static final Pace FULL =
      new Pace(6, Duration.ofMillis(400), 15, Duration.ofMillis(50), 1, 5, Duration.ofMinutes(100), 100);
}
