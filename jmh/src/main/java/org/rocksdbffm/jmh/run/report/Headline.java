/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.run.plan.Group;

/** The summary of the page: eight rows with four engines, and the groups in which this library is slowest. */
final class Headline {
  private static final int LOSSES = 3;

  /** A line of the summary: its name, and the rows that contain the results of this library and of the drop-in. */
  private record Line(String name, Group group, String row, int size, Group compatGroup, String compatRow) {
    static Line of(String name, Group group, String row, int size, String compatRow) {
      return new Line(name, group, row, size, Group.COMPAT, compatRow);
    }
  }

  private static final List<Line> LINES =
      List.of(
          Line.of("get of 100 B", Group.GET, "array", 100, "get: array"),
          Line.of("get of 4 KiB", Group.GET, "array", 4096, "get: array"),
          Line.of("pinned 64 KiB", Group.GET, "pinned", 65536, ""),
          Line.of("scan of rows of 100 B", Group.SCAN, "forward", 100, "iterate: forward"),
          Line.of("multi-get of 100 rows", Group.MULTIGET, "list of 100", 100, "multiGet: list of 100"),
          Line.of("put of 100 B", Group.WRITE, "put", 100, "put"),
          Line.of("get, comparator in Java", Group.CALLBACK, "get, Java comparator", 0, "comparator in Java: get"),
          new Line(
              "start to first value", Group.STARTUP, "start to first value", 0, Group.STARTUP, "start to first value"));

  private final List<Result> results;

  Headline(List<Result> results) {
    this.results = results;
  }

  String markdown() {
    StringBuilder text =
        new StringBuilder("| | C | this library | drop-in | rocksdbjni takes |\n|:--|--:|--:|--:|--:|\n");
    for (Line line : LINES) {
      Result result = Result.find(results, line.group, line.row, line.size, Engine.FFM);
      if (result != null && result.vsJni() != null) {
        text.append(
            "| %s | %s | %s | %s | %s |\n"
                .formatted(
                    line.name,
                    speed(Result.find(results, line.group, line.row, line.size, Engine.NATIVE)),
                    speed(result),
                    speed(Result.find(results, line.compatGroup, line.compatRow, line.size, Engine.COMPAT)),
                    time(result.ns() * result.vsJni())));
      }
    }
    return text.toString();
  }

  private static String speed(Result result) {
    return result == null || result.vsJni() == null ? "" : ResultTable.ratio(result.vsJni());
  }

  private static String time(double nanos) {
    return nanos < 1e4 ? "%.1f µs".formatted(nanos / 1e3) : nanos < 1e6 ? "%.0f µs".formatted(nanos / 1e3)
        : "%.0f ms".formatted(nanos / 1e6);
  }

  /**
   * Returns, for each group with a row that is slower than rocksdbjni in all rounds, the row with the lowest ratio;
   * lowest ratio first.
   */
  String losses() {
    Map<String, Result> worst =
        results.stream()
            .filter(result -> result.isOf(Engine.FFM) || result.isOf(Engine.COMPAT))
            .filter(result -> result.vsJni() != null && result.vsJniHigh() < 1)
            .collect(
                Collectors.toMap(
                    Result::group, result -> result, (a, b) -> a.vsJni() <= b.vsJni() ? a : b, LinkedHashMap::new));
    return worst.values().stream()
        .sorted(Comparator.comparing(Result::vsJni))
        .limit(LOSSES)
        .map(result -> "- %s%s: %s\n".formatted(name(result), sizeOf(result), ResultTable.vsJni(result)))
        .collect(Collectors.joining());
  }

  private static String name(Result result) {
    boolean saysItAll = result.group().equals(Group.STARTUP.id()) || result.group().equals(Group.COMPAT.id());
    String row = saysItAll ? result.row() : result.group() + ": " + result.row();
    return result.isOf(Engine.COMPAT) ? "drop-in, " + row : row;
  }

  private static String sizeOf(Result result) {
    return result.size() == 0 ? "" : " of " + Cell.sizeText(result.size());
  }
}
