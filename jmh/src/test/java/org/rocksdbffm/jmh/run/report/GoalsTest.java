/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.run.plan.Engine;

class GoalsTest {
  /** A batch of 100 rows, whose goal is 1.2. */
  private static Result batch(Engine engine, double low, double median, double high) {
    return new Result("write", "batch of 100", 100, 1, engine.id(), 1, 1, 1, 0.0, median, low, high, null);
  }

  private static void assertOutcome(String outcome, Result... results) {
    String table = new Goals(List.of(results)).markdown();
    assertTrue(table.endsWith(" | " + outcome + " |\n"), table);
  }

  @Test
  void aGoalIsReachedByTheMiddleRatio() {
    assertOutcome("reached", batch(Engine.FFM, 1.1, 1.2, 1.3));
    assertOutcome("within the spread", batch(Engine.FFM, 1.1, 1.15, 1.3));
    assertOutcome("missed", batch(Engine.FFM, 1.1, 1.15, 1.19));
  }

  @Test
  void whatCMissesInAllOfItsSpreadIsNotForABindingToReach() {
    assertOutcome("not by C either", batch(Engine.FFM, 1, 1, 1), batch(Engine.NATIVE, 1, 1.1, 1.19));
    assertOutcome("missed", batch(Engine.FFM, 1, 1, 1), batch(Engine.NATIVE, 1, 1.1, 1.21));
  }
}
