/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.rocksdbffm.metrics.Statistics;

/**
 * A figure: its name, without the prefix that all have and with a line between the words of a part; its unit, by UCUM;
 * and where its value comes from.
 *
 * @param question for the engine; empty for a figure of its statistics, or without one
 * @param statistic the value in the engine's statistics; null for one that is not from there
 * @param isFirst whether it is among the first on a dashboard
 */
record Figure(
    String name,
    Map<String, String> tags,
    String unit,
    Kind kind,
    Source source,
    String question,
    ToDoubleFunction<Statistics> statistic,
    String description,
    boolean isFirst) {
  /** All of them, in the order of the list. */
  static final List<Figure> ALL = FigureList.read();

  enum Kind {
    /** Only grows while the database is open. */
    COUNTER,
    /** Adds up over families and databases. */
    SUM,
    /** Does not add up. */
    GAUGE
  }

  enum Source {
    PROCESS,
    DATABASE,
    FAMILY
  }

  /** As OpenTelemetry names it. */
  String fullName() {
    return "rocksdb." + name;
  }

  /** As Micrometer names it, where all words are parts. */
  String dottedName() {
    return fullName().replace('_', '.');
  }

  /** The unit as a word; null for a number of things. */
  String baseUnit() {
    return switch (unit) {
      case "By" -> "bytes";
      case "s" -> "seconds";
      case "By/s" -> "bytes_per_second";
      default -> null;
    };
  }

  /** As Prometheus names it, whichever way it gets it. */
  String prometheusName() {
    String base = baseUnit() == null ? "" : "_" + baseUnit();
    return dottedName().replace('.', '_') + base + (kind == Kind.COUNTER ? "_total" : "");
  }

  /** A name without signs: that of an attribute of a bean. */
  String attributeName() {
    return withoutSigns(name + "_" + new TreeMap<>(tags).values().stream().collect(Collectors.joining("_")));
  }

  /** Words as one, each with a capital. */
  static String withoutSigns(String words) {
    StringBuilder joined = new StringBuilder();
    for (String word : words.split("[^A-Za-z0-9+]+")) {
      if (!word.isEmpty()) {
        joined.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1).replace("+", "AndUp"));
      }
    }
    return joined.toString();
  }
}
