/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.metrics.Figure.Kind;
import org.rocksdbffm.metrics.Figure.Source;

/**
 * Builds a dashboard for Grafana: the most important metrics in the first row, then a row for each subject with a panel
 * for each metric.
 */
final class Dashboard {
  private static final int IN_A_ROW = 3;
  private static final int WIDTH = 24 / IN_A_ROW;
  private static final int HEIGHT = 7;
  private static final Map<String, Object> SOURCE = object("type", "prometheus", "uid", "${source}");

  private final List<Object> panels = new ArrayList<>();
  private int id;
  private int y;

  private Dashboard() {}

  static String json() {
    Dashboard dashboard = new Dashboard();
    List<Figure> figures = List.copyOf(FigurePrinter.byName().values());
    dashboard.addRow("Overview", false, figures.stream().filter(Figure::isFirst).toList());
    figures.stream()
        .collect(Collectors.groupingBy(Dashboard::subject, LinkedHashMap::new, Collectors.toList()))
        .forEach((subject, ofSubject) -> dashboard.addRow(subject, true, ofSubject));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("uid", "rocksdb-ffm");
    all.put("title", "RocksDB");
    all.put("tags", List.of("rocksdb"));
    all.put("schemaVersion", 39);
    all.put("refresh", "30s");
    all.put("time", object("from", "now-1h", "to", "now"));
    all.put("templating", object("list", List.of(
        object("name", "source", "label", "Source", "type", "datasource", "query", "prometheus"),
        variable("database", "label_values(rocksdb_keys_estimate, database)"),
        variable("family", "label_values(rocksdb_keys_estimate{database=~\"$database\"}, family)"))));
    all.put("panels", dashboard.panels);
    return Json.of(all).replace(", \n", ",\n") + "\n";
  }

  private static Map<String, Object> variable(String name, String query) {
    Map<String, Object> variable = object("name", name, "type", "query", "datasource", SOURCE, "query", query);
    variable.putAll(Map.of("includeAll", true, "multi", true, "refresh", 2));
    variable.put("allValue", ".*");
    return new TreeMap<>(variable);
  }

  private static Map<String, Object> object(Object... keysAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      object.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return object;
  }

  private static String subject(Figure figure) {
    String word = figure.name().substring(0, figure.name().indexOf('.')).replace('_', ' ');
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private void addRow(String title, boolean isCollapsed, List<Figure> figures) {
    Map<String, Object> row = object("type", "row", "id", ++id, "title", title, "collapsed", isCollapsed);
    row.put("gridPos", object("h", 1, "w", 24, "x", 0, "y", y++));
    List<Object> within = new ArrayList<>();
    for (int i = 0; i < figures.size(); i++) {
      within.add(panel(figures.get(i), i % IN_A_ROW * WIDTH, y + i / IN_A_ROW * HEIGHT));
    }
    row.put("panels", isCollapsed ? within : List.of());
    panels.add(row);
    if (!isCollapsed) {
      panels.addAll(within);
      y += (figures.size() + IN_A_ROW - 1) / IN_A_ROW * HEIGHT;
    }
  }

  private Map<String, Object> panel(Figure figure, int x, int top) {
    Map<String, Object> panel = object("type", "timeseries", "id", ++id, "title", figure.name(), "datasource", SOURCE);
    panel.put("description", figure.description());
    panel.put("gridPos", object("h", HEIGHT, "w", WIDTH, "x", x, "y", top));
    panel.put("fieldConfig", object("defaults", object("unit", unit(figure), "min", 0), "overrides", List.of()));
    panel.put("targets", List.of(object("refId", "A", "datasource", SOURCE, "expr", expression(figure))));
    return panel;
  }

  static String expression(Figure figure) {
    List<String> by = new ArrayList<>(figure.source() == Source.PROCESS ? List.of() : List.of("database"));
    figure.tags().keySet().stream().sorted().forEach(by::add);
    if (figure.question().equals("kinds")) {
      by.add("kind");
    }
    String filters =
        Stream.of("database", "family")
            .limit(figure.source().ordinal())
            .map(tag -> tag + "=~\"$" + tag + "\"")
            .collect(Collectors.joining(","));
    String series = figure.prometheusName() + (filters.isEmpty() ? "" : "{" + filters + "}");
    return "%s by (%s) (%s)"
        .formatted(
            figure.kind() == Kind.GAUGE ? "max" : "sum",
            String.join(", ", by),
            figure.kind() == Kind.COUNTER ? "rate(" + series + "[$__rate_interval])" : series);
  }

  private static String unit(Figure figure) {
    boolean isRate = figure.kind() == Kind.COUNTER;
    return switch (figure.unit()) {
      case "By" -> isRate ? "Bps" : "bytes";
      case "By/s" -> "Bps";
      case "s" -> isRate ? "percentunit" : figure.name().endsWith("_time") ? "dateTimeFromNow" : "s";
      default -> isRate ? "ops" : "short";
    };
  }
}
