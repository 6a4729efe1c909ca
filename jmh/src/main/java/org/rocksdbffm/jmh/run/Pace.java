/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import java.time.Duration;

/**
 * How long everything is measured. Many short JVMs rather than few long ones: figures differ more from JVM to JVM than
 * within one. Yet each warms up for a second or two: a row of a scan took 2.9 us after half a second in its JVM, 1.7
 * after one, and 1.4 from two on.
 *
 * @param warmups iterations before those that count
 * @param warmup the time of each
 * @param measurements iterations that count
 * @param measurement the time of each
 * @param leastRounds each cell is measured in so many rounds, in one JVM each
 * @param mostRounds as many, if there is time; see {@link Plan#oftener}
 * @param budget the time for all rounds, null for no limit
 * @param dataMiB how much data there is to read
 */
record Pace(
    int warmups,
    Duration warmup,
    int measurements,
    Duration measurement,
    int leastRounds,
    int mostRounds,
    Duration budget,
    int dataMiB) {
  /** A first look at a group, in two minutes. */
  static final Pace QUICK =
      new Pace(3, Duration.ofMillis(300), 4, Duration.ofMillis(100), 2, 5, Duration.ofSeconds(112), 80);

  /** The rows that matter most, in ten minutes. */
  static final Pace HEADLINE =
      new Pace(3, Duration.ofMillis(500), 3, Duration.ofMillis(150), 2, 5, Duration.ofSeconds(570), 100);

  /** For results that are kept: a group in up to an hour and a half, all of them in less than two hours. */
  static final Pace FULL =
      new Pace(3, Duration.ofMillis(500), 3, Duration.ofMillis(150), 2, 5, Duration.ofMinutes(100), 100);
}
