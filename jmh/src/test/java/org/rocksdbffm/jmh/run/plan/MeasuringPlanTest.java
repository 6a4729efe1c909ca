/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdbffm.jmh.run.report.Samples;

class MeasuringPlanTest {
  private static final List<PlannedRow> ROWS = List.of(Samples.ARRAY, Samples.PINNED);

  private static List<String> cells(String... words) throws Exception {
    return MeasuringPlan.of(BenchArguments.parse(words), ROWS).cells().stream().map(Cell::toString).toList();
  }

  @Test
  void theHeadlineSetIsMadeOfTheHeadlineSizes() throws Exception {
    assertEquals(
        List.of("get: array, 4 KiB, native", "get: array, 4 KiB, jni", "get: array, 4 KiB, ffm"), cells());
  }

  @Test
  void aQuickLookHasTheQuickSizesAndOneThread() throws Exception {
    assertEquals(
        List.of(
            "get: array, 100 B, native",
            "get: array, 100 B, jni",
            "get: array, 100 B, ffm",
            "get: pinned, 100 B, native",
            "get: pinned, 100 B, ffm"),
        cells("get", "--quick"));
  }

  @Test
  void aGroupHasAllSizesAndSeveralThreadsForTheQuickOnes() throws Exception {
    List<String> cells = cells("get");
    assertEquals(12, cells.size());
    assertTrue(cells.contains("get: pinned, 100 B, 8 threads, ffm"));
    assertFalse(cells.contains("get: pinned, 4 KiB, 8 threads, ffm"));
    assertEquals(List.of(), cells("scan"));
  }

  @Test
  void rowsOfThreadsInEachOthersWayHaveNeverOneThreadAlone() throws Exception {
    for (String[] words : List.of(new String[] {"transaction", "--quick"}, new String[] {"transaction"})) {
      List<Cell> contended =
          MeasuringPlan.of(BenchArguments.parse(words), Catalogue.rows()).cells().stream()
              .filter(cell -> "true".equals(cell.row().parameters().get("contended")))
              .toList();
      assertFalse(contended.isEmpty());
      assertTrue(contended.stream().allMatch(cell -> cell.threads() > 1), contended::toString);
    }
  }

  @Test
  void sizesAndThreadsTakeThePlaceOfTheRowsOwn() throws Exception {
    List<String> cells = cells("get", "--quick", "--sizes", "7", "--threads", "3");
    assertEquals(5, cells.size());
    assertTrue(cells.stream().allMatch(cell -> cell.contains("7 B, 3 threads")));
  }

  @Test
  void rowsThatAreNamedAreMeasuredAloneAndAtFullSizesWhereAQuickLookHasNone() throws Exception {
    assertEquals(
        List.of("get: pinned, 100 B, native", "get: pinned, 100 B, ffm"), cells("get", "--quick", "--row", "pinned"));
    List<String> named =
        MeasuringPlan.of(BenchArguments.parse("get", "--quick", "--row", "array, statistics"), Catalogue.rows()).cells()
            .stream()
            .map(Cell::toString)
            .toList();
    assertEquals(9, named.stream().filter(cell -> cell.startsWith("get: array, statistics, ")).count());
    assertTrue(named.contains("get: array, statistics, 64 KiB, jni"), named::toString);
  }

  @Test
  void eachRoundHasAllCellsRowByRowAndTheEnginesTakeTurns() throws Exception {
    MeasuringPlan plan = MeasuringPlan.of(BenchArguments.parse("get", "--quick"), ROWS);
    Set<Engine> first = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      List<List<Cell>> rows = plan.round(round, round > 1);
      assertEquals(2, rows.size());
      List<Cell> cells = rows.stream().flatMap(List::stream).toList();
      assertEquals(Set.copyOf(plan.cells()), Set.copyOf(cells));
      assertEquals(
          List.of("array", "array", "array", "pinned", "pinned"),
          cells.stream().map(cell -> cell.row().name()).toList());
      first.add(cells.getFirst().engine());
    }
    assertEquals(Set.of(Engine.NATIVE, Engine.JNI, Engine.FFM), first);
  }

  @Test
  void ofAllGroupsOnlyQuickLooksTheHeadlineSetAndWhatIsOftenAreMeasuredInFurtherRounds() throws Exception {
    MeasuringPlan all =
        MeasuringPlan.of(BenchArguments.parse("all"), Stream.concat(ROWS.stream(), Stream.of(Samples.DIRECT)).toList());
    assertEquals(
        Set.copyOf(all.cells()), all.round(1, false).stream().flatMap(List::stream).collect(Collectors.toSet()));
    List<String> further = all.round(0, true).stream().flatMap(List::stream).map(Cell::toString).toList();
    List<String> direct =
        List.of(
            "get: into direct buffer, 100 B, native",
            "get: into direct buffer, 100 B, jni",
            "get: into direct buffer, 100 B, ffm");
    List<String> often = Stream.of(cells("all", "--quick"), cells(), direct).flatMap(List::stream).toList();
    assertEquals(Set.copyOf(often), Set.copyOf(further));
    assertEquals(often.size(), further.size());
    MeasuringPlan group = MeasuringPlan.of(BenchArguments.parse("get"), ROWS);
    assertEquals(group.round(2, false), group.round(2, true));
  }

  @Test
  void amongAllGroupsTheDropInIsMeasuredOnceForEachRow() throws Exception {
    String before = System.setProperty(Engine.COMPAT_CLASS_PATH, "drop-in.jar");
    try {
      assertTrue(cells("get").contains("get: array, 100 B, compat"));
      assertFalse(cells("all").contains("get: array, 100 B, compat"));
      List<Cell> all = MeasuringPlan.of(BenchArguments.parse("all"), Catalogue.rows()).cells();
      Set<Group> set =
          all.stream()
              .filter(cell -> cell.engine() == Engine.COMPAT)
              .map(cell -> cell.row().group())
              .collect(Collectors.toSet());
      assertEquals(Set.of(Group.COMPAT, Group.STARTUP), set);
    } finally {
      if (before == null) {
        System.clearProperty(Engine.COMPAT_CLASS_PATH);
      } else {
        System.setProperty(Engine.COMPAT_CLASS_PATH, before);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Group.class)
  void everyGroupHasAQuickLook(Group group) throws Exception {
    assertFalse(MeasuringPlan.of(BenchArguments.parse(group.id(), "--quick"), Catalogue.rows()).cells().isEmpty());
  }

  @Test
  void rowsHaveNamesOfTheirOwnAndThoseTheyAreComparedWithExist() {
    List<PlannedRow> rows = Catalogue.rows();
    Set<String> names = rows.stream().map(row -> row.group() + row.name()).collect(Collectors.toSet());
    assertEquals(rows.size(), names.size());
    for (PlannedRow row : rows) {
      row.jniRows().forEach(other -> assertTrue(names.contains(row.group() + other), row.name() + " vs " + other));
      assertTrue(names.contains(row.group() + row.nativeRow()), row::name);
    }
  }
}
