/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints a text that is generated from the list of metrics. The argument is {@code figures} for a table,
 * {@code dashboard} for a dashboard of Grafana, or {@code alerts} for rules of Prometheus.
 */
final class FigurePrinter {
  private static final Pattern NAME = Pattern.compile("\\[([a-z0-9_]+(?:\\.[a-z0-9_]+)+)]");

  private FigurePrinter() {}

  public static void main(String[] arguments) {
    System.out.print(switch (arguments.length == 1 ? arguments[0] : "") {
      case "figures" -> figures();
      case "dashboard" -> Dashboard.json();
      case "alerts" -> alerts();
      default -> throw new IllegalArgumentException("say one of figures, dashboard and alerts");
    });
  }

  /** Returns the first metric of each name, in the order of the list. */
  static Map<String, Figure> byName() {
    Map<String, Figure> byName = new LinkedHashMap<>();
    Figure.ALL.forEach(figure -> byName.putIfAbsent(figure.name(), figure));
    return byName;
  }

  static String figures() {
    StringBuilder table = new StringBuilder("| OpenTelemetry | Prometheus | unit | kind | |\n|--|--|--|--|--|\n");
    for (Figure figure : byName().values()) {
      String kind = figure.kind().name().toLowerCase(Locale.ROOT);
      table.append(
          "| `%s` | `%s` | %s | %s | %s |\n"
              .formatted(figure.fullName(), figure.prometheusName(), figure.unit(), kind, figure.description()));
    }
    return table.toString();
  }

  static String alerts() {
    StringBuilder rules = new StringBuilder("groups:\n  - name: rocksdb\n    rules:\n");
    for (String line : FigureList.lines("alerts.txt")) {
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
    Map<String, Figure> byName = byName();
    return NAME.matcher(expression).replaceAll(found -> {
      Figure figure = byName.get(found.group(1));
      if (figure == null) {
        throw new IllegalStateException("no figure " + found.group(1) + " for " + expression);
      }
      return Matcher.quoteReplacement(figure.prometheusName());
    });
  }
}
