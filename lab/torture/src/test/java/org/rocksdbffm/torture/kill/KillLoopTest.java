/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.kill;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.Sweeps;

/** A killed process loses no acknowledged write; {@code ./torture --kill 300} runs the same loop for longer. */
final class KillLoopTest {
  private static final int ROUNDS = Sweeps.of(6, 100);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasAcknowledgedSurvivesAKillAndNoBatchIsTorn(boolean isEncrypted) throws Exception {
    long seed = System.nanoTime();
    KillLoop.Report report = KillLoop.run(ROUNDS, seed, isEncrypted);
    System.out.println("seed " + seed + ": " + report);
    assertTrue(report.withWrites() > 0 && report.acknowledged() > 0, report::toString);
  }
}
