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
import org.rocksdbffm.metrics.Metric.Kind;
import org.rocksdbffm.metrics.Metric.Source;

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
    List<Metric> metrics = List.copyOf(MetricPrinter.byName().values());
    dashboard.addRow("Overview", false, metrics.stream().filter(Metric::isFirst).toList());
    metrics.stream()
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

  private static String subject(Metric metric) {
    String word = metric.name().substring(0, metric.name().indexOf('.')).replace('_', ' ');
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private void addRow(String title, boolean isCollapsed, List<Metric> metrics) {
    Map<String, Object> row = object("type", "row", "id", ++id, "title", title, "collapsed", isCollapsed);
    row.put("gridPos", object("h", 1, "w", 24, "x", 0, "y", y++));
    List<Object> within = new ArrayList<>();
    for (int i = 0; i < metrics.size(); i++) {
      within.add(panel(metrics.get(i), i % IN_A_ROW * WIDTH, y + i / IN_A_ROW * HEIGHT));
    }
    row.put("panels", isCollapsed ? within : List.of());
    panels.add(row);
    if (!isCollapsed) {
      panels.addAll(within);
      y += (metrics.size() + IN_A_ROW - 1) / IN_A_ROW * HEIGHT;
    }
  }

  private Map<String, Object> panel(Metric metric, int x, int top) {
    Map<String, Object> panel = object("type", "timeseries", "id", ++id, "title", metric.name(), "datasource", SOURCE);
    panel.put("description", metric.description());
    panel.put("gridPos", object("h", HEIGHT, "w", WIDTH, "x", x, "y", top));
    panel.put("fieldConfig", object("defaults", object("unit", unit(metric), "min", 0), "overrides", List.of()));
    panel.put("targets", List.of(object("refId", "A", "datasource", SOURCE, "expr", expression(metric))));
    return panel;
  }

  static String expression(Metric metric) {
    List<String> by = new ArrayList<>(metric.source() == Source.PROCESS ? List.of() : List.of("database"));
    metric.tags().keySet().stream().sorted().forEach(by::add);
    if (metric.question().equals("kinds")) {
      by.add("kind");
    }
    String filters =
        Stream.of("database", "family")
            .limit(metric.source() == Source.ARCHIVE ? 1 : metric.source().ordinal())
            .map(tag -> tag + "=~\"$" + tag + "\"")
            .collect(Collectors.joining(","));
    String series = metric.prometheusName() + (filters.isEmpty() ? "" : "{" + filters + "}");
    return "%s by (%s) (%s)"
        .formatted(
            metric.kind() == Kind.GAUGE ? "max" : "sum",
            String.join(", ", by),
            metric.kind() == Kind.COUNTER ? "rate(" + series + "[$__rate_interval])" : series);
  }

  private static String unit(Metric metric) {
    boolean isRate = metric.kind() == Kind.COUNTER;
    return switch (metric.unit()) {
      case "By" -> isRate ? "Bps" : "bytes";
      case "By/s" -> "Bps";
      case "s" -> isRate ? "percentunit" : metric.name().endsWith("_time") ? "dateTimeFromNow" : "s";
      default -> isRate ? "ops" : "short";
    };
  }
}
