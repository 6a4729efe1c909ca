/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.jmh.run.Samples.ARRAY;
import static org.rocksdbffm.jmh.run.Samples.DIRECT;
import static org.rocksdbffm.jmh.run.Samples.PINNED;
import static org.rocksdbffm.jmh.run.Samples.cell;
import static org.rocksdbffm.jmh.run.Samples.outcome;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasurementsTest {
  private final Measurements measurements = new Measurements();

  private void measured(Row row, Engine engine, double... rounds) {
    for (double nanos : rounds) {
      measurements.add(cell(row, 100, engine), outcome(nanos));
    }
  }

  private Result result(String row, Engine engine) {
    return measurements.results().stream()
        .filter(result -> result.row().equals(row) && result.isOf(engine))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theFigureIsTheMedianOfTheRoundsAndTheSpreadGoesFromTheLowestToTheHighest() {
    measured(ARRAY, Engine.FFM, 30, 10, 20);
    Result result = result("array", Engine.FFM);
    assertEquals(20, result.ns());
    assertEquals(10, result.nsLow());
    assertEquals(30, result.nsHigh());
    assertEquals(16, result.bytesPerOp());
    assertNull(result.vsJni());
    assertNull(result.vsNative());
  }

  @Test
  void aRatioIsTakenWithinARoundSoThatDriftOfTheMachineDoesNotCount() {
    measured(ARRAY, Engine.JNI, 20, 200, 2000);
    measured(ARRAY, Engine.FFM, 10, 100, 1000);
    measured(ARRAY, Engine.NATIVE, 5, 50, 500);
    Result ffm = result("array", Engine.FFM);
    assertEquals(2, ffm.vsJni());
    assertEquals(2, ffm.vsJniLow());
    assertEquals(2, ffm.vsJniHigh());
    assertEquals(0.5, ffm.vsNative());
    assertFalse(ffm.isNotToldApart());
    assertNull(result("array", Engine.JNI).vsJni());
    assertEquals(4, result("array", Engine.NATIVE).vsJni());
  }

  @Test
  void whatJniLacksIsComparedWithTheFastestThatItHasForThePurpose() {
    measured(ARRAY, Engine.JNI, 50, 50);
    measured(DIRECT, Engine.JNI, 30, 30);
    measured(PINNED, Engine.FFM, 10, 15);
    assertEquals(2.5, result("pinned", Engine.FFM).vsJni());
  }

  @Test
  void aRatioWhoseSpreadCrossesOneIsNotToldApart() {
    measured(ARRAY, Engine.JNI, 10, 10, 10);
    measured(ARRAY, Engine.FFM, 9, 9, 11);
    assertTrue(result("array", Engine.FFM).isNotToldApart());
  }

  @Test
  void eachPercentileIsARowAndIsComparedWithTheSameOfTheOther() {
    Map<String, double[]> slow = Map.of(" p50", new double[] {10}, " p99.9", new double[] {100});
    Map<String, double[]> fast = Map.of(" p50", new double[] {10}, " p99.9", new double[] {50});
    measurements.add(cell(ARRAY, 100, Engine.JNI), new Outcome(slow, null));
    measurements.add(cell(ARRAY, 100, Engine.FFM), new Outcome(fast, null));
    assertEquals(1, result("array p50", Engine.FFM).vsJni());
    assertEquals(2, result("array p99.9", Engine.FFM).vsJni());
  }

  @Test
  void withinARoundARatioIsTakenTurnByTurnAndItsSpreadIsTheirMiddleHalf() {
    measurements.add(cell(ARRAY, 100, Engine.JNI), turns(20, 200, 2000, 24, 18));
    measurements.add(cell(ARRAY, 100, Engine.FFM), turns(10, 100, 1000, 10, 10));
    Result ffm = result("array", Engine.FFM);
    assertEquals(2, ffm.vsJni());
    assertEquals(2, ffm.vsJniLow());
    assertEquals(2, ffm.vsJniHigh());
    assertEquals(10, ffm.ns());
    assertEquals(100, ffm.nsHigh());
  }

  @Test
  void turnsOfOtherRowsWereAtOtherTimesAndTheirSpreadsAddUp() {
    measurements.add(cell(ARRAY, 100, Engine.JNI), turns(10, 12, 14));
    measurements.add(cell(PINNED, 100, Engine.FFM), turns(5, 6, 7));
    Result pinned = result("pinned", Engine.FFM);
    assertEquals(2, pinned.vsJni());
    assertEquals(10 / 7.0, pinned.vsJniLow(), 0.001);
    assertEquals(14 / 5.0, pinned.vsJniHigh(), 0.001);
  }

  private static Outcome turns(double... nanos) {
    return new Outcome(Map.of("", nanos), null);
  }

  @Test
  void otherSizesAreNotComparedWith() {
    measurements.add(cell(ARRAY, 4096, Engine.JNI), outcome(1));
    measured(ARRAY, Engine.FFM, 10);
    assertNull(result("array", Engine.FFM).vsJni());
  }
}
