/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.rocksdbffm.jmh.run.plan.Cell;
import org.rocksdbffm.jmh.run.plan.Engine;

/**
 * The results as a table: a line for each row, size and number of threads, and a column for each engine. The ratios are
 * of this library, or, if it was not measured, of the drop-in.
 */
public final class ResultTable {
  private static final String NOTHING = "";

  private record Line(String group, String row, int size, int threads) {}

  private final Map<Line, Map<Engine, Result>> lines = new LinkedHashMap<>();
  private final List<Engine> engines = new ArrayList<>();
  private final Engine compared;

  public ResultTable(List<Result> results) {
    for (Engine engine : Engine.values()) {
      if (results.stream().anyMatch(result -> result.isOf(engine))) {
        engines.add(engine);
      }
    }
    compared = engines.contains(Engine.COMPAT) && !engines.contains(Engine.FFM) ? Engine.COMPAT : Engine.FFM;
    for (Result result : results) {
      Line line = new Line(result.group(), result.row(), result.size(), result.threads());
      Map<Engine, Result> ofLine = lines.computeIfAbsent(line, ignored -> new LinkedHashMap<>());
      engines.stream().filter(result::isOf).forEach(engine -> ofLine.put(engine, result));
    }
  }

  /** Formats the table for a terminal. */
  public String text() {
    List<List<String>> rows = rows();
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    rows.forEach(row -> {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    });
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        text.append(i == 0 ? "" : "  ").append(("%" + (i < 2 ? "-" : "") + widths[i] + "s").formatted(row.get(i)));
      }
      text.append('\n');
    }
    return text.toString().replaceAll(" +\n", "\n");
  }

  /** Formats the table for a page. */
  String markdown() {
    List<List<String>> rows = rows();
    StringBuilder text = new StringBuilder(markdown(rows.getFirst()));
    text.append(rows.getFirst().stream().map(column -> "--:").collect(Collectors.joining("|", "|", "|\n")));
    rows.stream().skip(1).map(ResultTable::markdown).forEach(text::append);
    return text.toString().replaceFirst("--:\\|--:", ":--|:--");
  }

  private static String markdown(List<String> row) {
    return row.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(header());
    lines.forEach((line, results) -> rows.add(row(line, results)));
    return rows;
  }

  private List<String> header() {
    List<String> header = new ArrayList<>(List.of("row", "size"));
    engines.forEach(engine -> header.add(engine.id() + " ns"));
    header.add("spread");
    header.add("vs jni");
    header.add("vs native");
    header.add("B/op jni");
    header.add("B/op " + compared.id());
    return header;
  }

  private List<String> row(Line line, Map<Engine, Result> results) {
    String byThreads = line.threads() == 1 ? "" : ", " + line.threads() + " threads";
    String group = hasSeveralGroups() ? line.group() + ": " : "";
    List<String> row = new ArrayList<>(List.of(group + line.row() + byThreads, Cell.sizeText(line.size())));
    engines.forEach(engine -> row.add(results.containsKey(engine) ? number(results.get(engine).ns()) : NOTHING));
    Result result = results.get(compared);
    row.add(result == null ? NOTHING : number(result.nsLow()) + " to " + number(result.nsHigh()));
    row.add(result == null || result.vsJni() == null ? NOTHING : vsJni(result));
    row.add(result == null || result.vsNative() == null ? NOTHING : ratio(result.vsNative()));
    row.add(bytes(results.get(Engine.JNI)));
    row.add(bytes(result));
    return row;
  }

  private boolean hasSeveralGroups() {
    return lines.keySet().stream().map(Line::group).distinct().count() > 1;
  }

  static String vsJni(Result result) {
    String spread = " (" + ratio(result.vsJniLow()) + " to " + ratio(result.vsJniHigh()) + ")";
    return ratio(result.vsJni()) + spread + (result.isNotToldApart() ? " not told apart" : "");
  }

  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.2fx", ratio);
  }

  private static String bytes(Result result) {
    boolean known = result != null && result.bytesPerOp() != null;
    return known ? String.format(Locale.ROOT, "%.0f", result.bytesPerOp()) : NOTHING;
  }

  /** Formats a number of the file without insignificant digits. */
  static String number(double number) {
    if (number == 0) {
      return "0";
    }
    if (number < 10) {
      return String.format(Locale.ROOT, "%.2f", number);
    }
    return String.format(Locale.ROOT, number < 100 ? "%.1f" : number < 1e5 ? "%.0f" : "%,.0f", number);
  }
}
