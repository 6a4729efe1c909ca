/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints a text that is generated from the list of metrics. The argument is {@code metrics} for a table,
 * {@code dashboard} for a dashboard of Grafana, or {@code alerts} for rules of Prometheus.
 */
final class MetricPrinter {
  private static final Pattern NAME = Pattern.compile("\\[([a-z0-9_]+(?:\\.[a-z0-9_]+)+)]");

  private MetricPrinter() {}

  public static void main(String[] arguments) {
    System.out.print(switch (arguments.length == 1 ? arguments[0] : "") {
      case "metrics" -> metrics();
      case "dashboard" -> Dashboard.json();
      case "alerts" -> alerts();
      default -> throw new IllegalArgumentException(
          "arguments: " + List.of(arguments) + ", but they are one of metrics, dashboard and alerts");
    });
  }

  /** Returns the first metric of each name, in the order of the list. */
  static Map<String, Metric> byName() {
    Map<String, Metric> byName = new LinkedHashMap<>();
    Metric.ALL.forEach(metric -> byName.putIfAbsent(metric.name(), metric));
    return byName;
  }

  static String metrics() {
    StringBuilder table = new StringBuilder("| OpenTelemetry | Prometheus | unit | kind | |\n|--|--|--|--|--|\n");
    for (Metric metric : byName().values()) {
      String kind = metric.kind().name().toLowerCase(Locale.ROOT);
      table.append(
          "| `%s` | `%s` | %s | %s | %s |\n"
              .formatted(metric.fullName(), metric.prometheusName(), metric.unit(), kind, metric.description()));
    }
    return table.toString();
  }

  static String alerts() {
    StringBuilder rules = new StringBuilder("groups:\n  - name: rocksdb\n    rules:\n");
    for (String line : MetricList.lines("alerts.txt")) {
      String[] cells = line.split(" \\| ");
      rules.append(
          """
                - alert: %s
                  expr: '%s'
                  for: %s
                  labels:
                    severity: %s
                  annotations:
                    summary: '%s'
          """
              .formatted(cells[0], inPrometheus(cells[3]), cells[1], cells[2], cells[4])
              .indent(0));
    }
    return rules.toString();
  }

  private static String inPrometheus(String expression) {
    Map<String, Metric> byName = byName();
    return NAME.matcher(expression).replaceAll(found -> {
      Metric metric = byName.get(found.group(1));
      if (metric == null) {
        throw new IllegalStateException("no metric " + found.group(1) + " for " + expression);
      }
      return Matcher.quoteReplacement(metric.prometheusName());
    });
  }
}
