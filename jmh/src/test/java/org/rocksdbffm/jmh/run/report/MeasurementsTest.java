/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rocksdbffm.jmh.run.report.Samples.ARRAY;
import static org.rocksdbffm.jmh.run.report.Samples.DIRECT;
import static org.rocksdbffm.jmh.run.report.Samples.PINNED;
import static org.rocksdbffm.jmh.run.report.Samples.cell;
import static org.rocksdbffm.jmh.run.report.Samples.outcome;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.PlannedRow;

class MeasurementsTest {
  private final Measurements measurements = new Measurements();

  private void measured(PlannedRow row, Engine engine, double... rounds) {
    for (double nanos : rounds) {
      measured(cell(row, 100, engine), outcome(nanos));
    }
  }

  private void measured(Cell cell, Outcome outcome) {
    measurements.add(List.of(cell), Map.of(cell, outcome));
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
    measured(cell(ARRAY, 100, Engine.JNI), new Outcome(slow, null));
    measured(cell(ARRAY, 100, Engine.FFM), new Outcome(fast, null));
    assertEquals(1, result("array p50", Engine.FFM).vsJni());
    assertEquals(2, result("array p99.9", Engine.FFM).vsJni());
  }

  @Test
  void ofThoseThatTookTurnsARatioIsTakenTurnByTurnAndItsSpreadIsTheirMiddleHalf() {
    Cell jni = cell(ARRAY, 100, Engine.JNI);
    Cell cell = cell(ARRAY, 100, Engine.FFM);
    Map<Cell, Outcome> together =
        Map.of(jni, turns(20, 200, 2000, 24, 18), cell, turns(10, 100, 1000, 10, 10));
    measurements.add(List.of(jni, cell), together);
    Result ffm = result("array", Engine.FFM);
    assertEquals(2, ffm.vsJni());
    assertEquals(2, ffm.vsJniLow());
    assertEquals(2, ffm.vsJniHigh());
    assertEquals(10, ffm.ns());
    assertEquals(100, ffm.nsHigh());
  }

  @Test
  void whatDidNotTakeTurnsWasMeasuredAtAnotherTimeAndTheSpreadsAddUp() {
    measured(cell(ARRAY, 100, Engine.JNI), turns(10, 12, 14));
    measured(cell(PINNED, 100, Engine.FFM), turns(5, 6, 7));
    Result pinned = result("pinned", Engine.FFM);
    assertEquals(2, pinned.vsJni());
    assertEquals(10 / 7.0, pinned.vsJniLow(), 0.001);
    assertEquals(14 / 5.0, pinned.vsJniHigh(), 0.001);
  }

  @Test
  void theFastestOfRocksdbjniAndOfCIsTheGuestOfRowsThatLackThem() {
    PlannedRow callback = Samples.row(Samples.PINNED_LINE + " | engines=ffm");
    assertEquals(List.of(), measurements.guests(List.of(cell(callback, 100, Engine.FFM))));
    measured(ARRAY, Engine.JNI, 50);
    measured(DIRECT, Engine.JNI, 30);
    measured(ARRAY, Engine.NATIVE, 20);
    measurements.add(List.of(), Map.of(cell(ARRAY, 4096, Engine.JNI), outcome(10)));
    assertEquals(List.of(cell(DIRECT, 100, Engine.JNI)), measurements.guests(List.of(cell(PINNED, 100, Engine.FFM))));
    assertEquals(
        List.of(cell(DIRECT, 100, Engine.JNI), cell(ARRAY, 100, Engine.NATIVE)),
        measurements.guests(
            List.of(cell(Samples.row(Samples.PINNED_LINE + " | engines=ffm | native=array"), 100, Engine.FFM))));
    assertEquals(List.of(), measurements.guests(List.of(cell(ARRAY, 100, Engine.FFM))));
  }

  @Test
  void theGuestOfALatencyIsTheOneWhoseLowestPercentileIsLower() {
    Cell array = cell(Samples.row(Samples.ARRAY_LINE + " | percentiles=50,99"), 100, Engine.JNI);
    Cell direct = cell(Samples.row(Samples.DIRECT_LINE + " | percentiles=50,99"), 100, Engine.JNI);
    measurements.add(List.of(array), Map.of(array, latencies(20, 30)));
    measurements.add(List.of(direct), Map.of(direct, latencies(10, 40)));
    assertEquals(List.of(direct), measurements.guests(List.of(cell(PINNED, 100, Engine.FFM))));
  }

  private static Outcome latencies(double p50, double p99) {
    Map<String, double[]> nanos = new LinkedHashMap<>();
    nanos.put(" p50", new double[] {p50});
    nanos.put(" p99", new double[] {p99});
    return new Outcome(nanos, null);
  }

  @Test
  void aGuestCountsInTheRatioAndNotInItsOwnRow() {
    measured(ARRAY, Engine.JNI, 100);
    Cell guest = cell(ARRAY, 100, Engine.JNI);
    Cell pinned = cell(PINNED, 100, Engine.FFM);
    measurements.add(List.of(pinned), Map.of(pinned, turns(10, 100), guest, turns(30, 300)));
    assertEquals(3, result("pinned", Engine.FFM).vsJni());
    assertEquals(3, result("pinned", Engine.FFM).vsJniHigh());
    assertEquals(100, result("array", Engine.JNI).ns());
  }

  private static Outcome turns(double... nanos) {
    return new Outcome(Map.of("", nanos), null);
  }

  @Test
  void otherSizesAreNotComparedWith() {
    measured(cell(ARRAY, 4096, Engine.JNI), outcome(1));
    measured(ARRAY, Engine.FFM, 10);
    assertNull(result("array", Engine.FFM).vsJni());
  }
}
