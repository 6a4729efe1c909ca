/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.rocksdbffm.internal.watch.OpenDatabase;

/**
 * A metric.
 *
 * @param name the name without the common prefix; words within a part are separated by underscores
 * @param unit the unit in UCUM notation
 * @param question where the value is read: the name of a RocksDB property, {@code kinds} if the metric has a series for
 *     each kind, or the name by which an archiver publishes it; empty if {@code value} needs no name
 * @param value reads the value for a database or a column family
 * @param isFirst whether it is in the first row of the dashboard
 */
record Metric(
    String name,
    Map<String, String> tags,
    String unit,
    Kind kind,
    Source source,
    String question,
    Value value,
    String description,
    boolean isFirst) {
  /** All metrics, in the order of the list. */
  static final List<Metric> ALL;

  /** RocksDB's numbers of the tickers that metrics use. */
  static final int[] TICKERS;

  static final int[] HISTOGRAMS;

  /** The properties that metrics use. */
  static final Map<Source, Set<String>> PROPERTIES;

  static {
    MetricList list = MetricList.read();
    ALL = List.copyOf(list.metrics);
    TICKERS = list.tickers.stream().mapToInt(id -> id).toArray();
    HISTOGRAMS = list.histograms.stream().mapToInt(id -> id).toArray();
    PROPERTIES =
        ALL.stream()
            .filter(metric -> metric.question.startsWith("rocksdb."))
            .collect(Collectors.groupingBy(Metric::source, Collectors.mapping(Metric::question, Collectors.toSet())));
  }

  /** Returns a value from properties and counts, or NaN; {@code counts} is empty without statistics. */
  interface Value {
    double of(OpenDatabase database, Map<String, String> properties, double[] counts);
  }

  enum Kind {
    /** Only grows while the database is open. */
    COUNTER,
    /** A value for which the sum over families and databases is useful, such as a size. */
    SUM,
    /** A value for which the sum over families or databases means nothing. */
    GAUGE
  }

  enum Source {
    PROCESS,
    DATABASE,
    FAMILY,
    /** The archiver of a database. */
    ARCHIVE
  }

  /** Returns the name in OpenTelemetry. */
  String fullName() {
    return "rocksdb." + name;
  }

  /** Returns the name in Micrometer, with a dot between all words. */
  String dottedName() {
    return fullName().replace('_', '.');
  }

  /** Returns the unit as a word; null for counts. */
  String baseUnit() {
    return switch (unit) {
      case "By" -> "bytes";
      case "s" -> "seconds";
      case "By/s" -> "bytes_per_second";
      default -> null;
    };
  }

  /** Returns the name in Prometheus, for each way of export. */
  String prometheusName() {
    String base = baseUnit() == null ? "" : "_" + baseUnit();
    return dottedName().replace('.', '_') + base + (kind == Kind.COUNTER ? "_total" : "");
  }

  /** Returns the name of the attribute in a bean, without signs. */
  String attributeName() {
    return withoutSigns(name + "_" + new TreeMap<>(tags).values().stream().collect(Collectors.joining("_")));
  }

  /** Joins words in upper camel case. */
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
