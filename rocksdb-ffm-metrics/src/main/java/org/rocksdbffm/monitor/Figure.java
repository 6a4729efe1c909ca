/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rocksdbffm.internal.watch.OpenDatabase;

/**
 * A figure: its name, without the prefix that all have and with a line between the words of a part; its unit, by UCUM;
 * and where its value comes from.
 *
 * @param question the property that the engine is asked for; {@code kinds} for a figure of each kind, or empty
 * @param value of a database, or a family of it
 * @param isFirst whether it is among the first on a dashboard
 */
record Figure(
    String name,
    Map<String, String> tags,
    String unit,
    Kind kind,
    Source source,
    String question,
    Value value,
    String description,
    boolean isFirst) {
  /** All of them, in the order of the list. */
  static final List<Figure> ALL;

  /** The engine's numbers of what it has counted, for all of them. */
  static final int[] TICKERS;

  static final int[] HISTOGRAMS;

  /** The properties that are asked for all of them. */
  static final Map<Source, Set<String>> PROPERTIES;

  static {
    FigureList list = FigureList.read();
    ALL = List.copyOf(list.figures);
    TICKERS = list.tickers.stream().mapToInt(its -> its).toArray();
    HISTOGRAMS = list.histograms.stream().mapToInt(its -> its).toArray();
    PROPERTIES =
        ALL.stream()
            .filter(figure -> figure.question.startsWith("rocksdb."))
            .collect(Collectors.groupingBy(Figure::source, Collectors.mapping(Figure::question, Collectors.toSet())));
  }

  /** Takes a value out of what the engine has answered, or NaN; there are no counts if it counts nothing. */
  interface Value {
    double of(OpenDatabase database, Map<String, String> properties, double[] counts);
  }

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
