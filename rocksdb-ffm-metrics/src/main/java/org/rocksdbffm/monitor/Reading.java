/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.monitor.Figure.Kind;
import org.rocksdbffm.monitor.Figure.Source;

/**
 * The figures of one open database, all read at once, and again for those who ask when they are older than a fifth of a
 * second: a scrape asks for one after the other. A part of them is that of the database itself, and each family is one, by
 * its tags; families beyond the limit are added up as one. Thread-safe.
 */
final class Reading {
  /** The part of the database itself. */
  static final Map<String, String> DATABASE = Map.of();

  /** The part of the families beyond the limit. */
  static final Map<String, String> OTHERS = Map.of("family", "(others)");

  private static final long FRESH_NANOS = 200_000_000;

  private final OpenDatabase database;
  private final int mostFamilies;

  // By part, values of all figures; NaN for what is unknown. Guarded by this, as all below.
  private Map<Map<String, String>, double[]> values;
  private long readAt;

  Reading(OpenDatabase database, int mostFamilies) {
    this.database = database;
    this.mostFamilies = mostFamilies;
    expire();
  }

  /** The value of a figure, by its place in the list; NaN if it is unknown, as all are of a closed database. */
  synchronized double value(Map<String, String> part, int figure) {
    if (System.nanoTime() - readAt >= FRESH_NANOS) {
      values = read();
      readAt = System.nanoTime();
    }
    double[] its = values.get(part);
    return its == null ? Double.NaN : its[figure];
  }

  /** The parts that have figures now; none while it is opened or once it is closed. */
  Set<Map<String, String>> parts() {
    try {
      return familiesByPart().keySet();
    } catch (IllegalStateException closed) {
      return Set.of();
    }
  }

  /** Has the next question read anew. */
  synchronized void expire() {
    readAt = System.nanoTime() - FRESH_NANOS;
  }

  private Map<Map<String, String>, List<OpenDatabase.Family>> familiesByPart() {
    Map<Map<String, String>, List<OpenDatabase.Family>> parts = new LinkedHashMap<>();
    for (OpenDatabase.Family family : database.families()) {
      parts.putIfAbsent(DATABASE, List.of(family)); // any knows what the database does
      Map<String, String> part = parts.size() <= mostFamilies ? Map.of("family", family.name()) : OTHERS;
      parts.computeIfAbsent(part, its -> new ArrayList<>()).add(family);
    }
    return parts;
  }

  private Map<Map<String, String>, double[]> read() {
    Map<Map<String, String>, double[]> read = new HashMap<>();
    try {
      familiesByPart().forEach((part, families) -> {
        double[] figures = new double[Figure.ALL.size()];
        Arrays.fill(figures, Double.NaN);
        families.forEach(family -> add(family, part.isEmpty() ? Source.DATABASE : Source.FAMILY, figures));
        read.put(part, figures);
      });
      return read;
    } catch (IllegalStateException closed) { // or a call from within a callback
      return Map.of();
    }
  }

  /** A family that is closed meanwhile has none. */
  private void add(OpenDatabase.Family family, Source source, double[] values) {
    try {
      Map<String, String> answers = family.properties(Figure.PROPERTIES.get(source));
      double[] counts = source == Source.DATABASE ? database.statistics(Figure.TICKERS, Figure.HISTOGRAMS) : new double[0];
      for (int i = 0; i < values.length; i++) {
        Figure figure = Figure.ALL.get(i);
        if (figure.source() == source) {
          double its = figure.value().of(database, answers, counts);
          values[i] =
              Double.isNaN(values[i]) ? its
                  : Double.isNaN(its) ? values[i]
                  : figure.kind() == Kind.GAUGE ? Math.max(values[i], its) : values[i] + its;
        }
      }
    } catch (IllegalStateException closed) {
      database.families(); // which fails if it is the database that is closed
    }
  }
}
