/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.metrics.Metric.Kind;
import org.rocksdbffm.metrics.Metric.Source;

/**
 * The metrics of one open database. A scrape requests the metrics one by one, so all of them are read together, and
 * read again only when they are older than a fifth of a second. The metrics have a part for the database itself, and a
 * part for each column family, identified by its tags; families beyond the limit share one part with their sums.
 * Thread-safe.
 */
final class Reading {
  /** The tags of the database's part. */
  static final Map<String, String> DATABASE = Map.of();

  /** The tags of the part for families beyond the limit. */
  static final Map<String, String> OTHERS = Map.of("family", "(others)");

  private static final long FRESH_NANOS = 200_000_000;

  private final OpenDatabase database;
  private final int mostFamilies;

  // For each part the values of all metrics; NaN for unknown values. Guarded by this, like all following fields.
  private Map<Map<String, String>, double[]> values;
  private long readAt;

  Reading(OpenDatabase database, int mostFamilies) {
    this.database = database;
    this.mostFamilies = mostFamilies;
    expire();
  }

  /** Returns the value of the metric with an index in the list; NaN if it is unknown, or the database is closed. */
  synchronized double value(Map<String, String> part, int metric) {
    if (System.nanoTime() - readAt >= FRESH_NANOS) {
      values = read();
      readAt = System.nanoTime();
    }
    double[] known = values.get(part);
    return known == null ? Double.NaN : known[metric];
  }

  /** Returns the current parts; empty while the database is being opened, and after its close. */
  Set<Map<String, String>> parts() {
    try {
      return familiesByPart().keySet();
    } catch (IllegalStateException closed) {
      return Set.of();
    }
  }

  /** Makes the next {@link #value} read all values again. */
  synchronized void expire() {
    readAt = System.nanoTime() - FRESH_NANOS;
  }

  private Map<Map<String, String>, List<OpenDatabase.Family>> familiesByPart() {
    Map<Map<String, String>, List<OpenDatabase.Family>> parts = new LinkedHashMap<>();
    for (OpenDatabase.Family family : database.families()) {
      parts.putIfAbsent(DATABASE, List.of(family)); // any family can read the database's values
      Map<String, String> part = parts.size() <= mostFamilies ? Map.of("family", family.name()) : OTHERS;
      parts.computeIfAbsent(part, ignored -> new ArrayList<>()).add(family);
    }
    return parts;
  }

  private Map<Map<String, String>, double[]> read() {
    Map<Map<String, String>, double[]> read = new HashMap<>();
    try {
      familiesByPart().forEach((part, families) -> {
        double[] metrics = new double[Metric.ALL.size()];
        Arrays.fill(metrics, Double.NaN);
        families.forEach(family -> add(family, part.isEmpty() ? Source.DATABASE : Source.FAMILY, metrics));
        read.put(part, metrics);
      });
      return read;
    } catch (IllegalStateException closed) { // also thrown for a call from within a callback
      return Map.of();
    }
  }

  /** Adds the values of a family, unless it is closed concurrently. */
  private void add(OpenDatabase.Family family, Source source, double[] values) {
    try {
      Map<String, String> answers = family.properties(Metric.PROPERTIES.get(source));
      double[] counts =
          source == Source.DATABASE ? database.statistics(Metric.TICKERS, Metric.HISTOGRAMS) : new double[0];
      for (int i = 0; i < values.length; i++) {
        Metric metric = Metric.ALL.get(i);
        if (metric.source() == source) {
          double read = metric.value().of(database, answers, counts);
          values[i] =
              Double.isNaN(values[i]) ? read
                  : Double.isNaN(read) ? values[i]
                  : metric.kind() == Kind.GAUGE ? Math.max(values[i], read) : values[i] + read;
        }
      }
    } catch (IllegalStateException closed) {
      database.families(); // throws if the database is closed too
    }
  }
}
