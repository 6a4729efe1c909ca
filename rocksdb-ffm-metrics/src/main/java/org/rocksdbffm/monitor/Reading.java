/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.watch.OpenDatabase;
import org.rocksdbffm.metrics.Statistics;
import org.rocksdbffm.monitor.Figure.Kind;
import org.rocksdbffm.monitor.Figure.Source;

/**
 * The figures of one open database, all read at once, and again for those who ask when they are older than a fifth of a
 * second: a scrape asks for one after the other. Thread-safe.
 *
 * <p>Families beyond the limit are added up as one. Once the database is closed, its counters stay and all else is
 * unknown.
 */
final class Reading {
  /** The name of what has the figures of the database itself. */
  static final String DATABASE = "";

  /** The name of the families beyond the limit. */
  static final String OTHERS = "(others)";

  private static final long FRESH_NANOS = 200_000_000;
  private static final Pattern NUMBER = Pattern.compile("(?m)(?:^ *|[,:] )([a-z0-9-]+):? +(\\d+)");

  private final OpenDatabase database;
  private final int mostFamilies;

  // By family, values of all figures; NaN for what is unknown. Guarded by this, as all below.
  private Map<String, double[]> values = Map.of();
  private long readAt;
  private boolean isClosed;

  Reading(OpenDatabase database, int mostFamilies) {
    this.database = database;
    this.mostFamilies = mostFamilies;
  }

  /** The value of a figure, by its place in the list; NaN if it is unknown. */
  synchronized double value(String family, int figure) {
    if (values.isEmpty() || System.nanoTime() - readAt >= FRESH_NANOS) {
      read();
    }
    double[] its = values.get(family);
    return its == null || isClosed && Figure.ALL.get(figure).kind() != Kind.COUNTER ? Double.NaN : its[figure];
  }

  /**
   * The names of the families that have figures now, and of the database itself; none while it is opened or once it is
   * closed.
   */
  List<String> parts() {
    try {
      List<String> names =
          database.families().stream().map(OpenDatabase.Family::name).limit(mostFamilies + 1L).toList();
      List<String> parts = new ArrayList<>(names.subList(0, Math.min(names.size(), mostFamilies)));
      if (!names.isEmpty()) {
        parts.addFirst(DATABASE);
      }
      if (names.size() > mostFamilies) {
        parts.add(OTHERS);
      }
      return parts;
    } catch (IllegalStateException closed) {
      return List.of();
    }
  }

  /** Has the next question read anew. */
  synchronized void expire() {
    readAt = System.nanoTime() - FRESH_NANOS;
  }

  private void read() {
    try {
      Map<String, double[]> read = new LinkedHashMap<>();
      List<? extends OpenDatabase.Family> families = database.families();
      if (!families.isEmpty()) {
        read.put(DATABASE, ofDatabase(families.getFirst()));
      }
      for (OpenDatabase.Family family : families) {
        String name = read.size() <= mostFamilies ? family.name() : OTHERS;
        addFamily(family, read.computeIfAbsent(name, its -> unknown()));
      }
      values = read;
      isClosed = false; // a call from within a callback fails in an open one as well
    } catch (IllegalStateException closed) {
      isClosed = true;
    }
    readAt = System.nanoTime();
  }

  /** Numbers of a text, each behind its name: in a list, or on a line. */
  private static Map<String, Double> numbers(String text) {
    Map<String, Double> numbers = new HashMap<>();
    NUMBER.matcher(text == null ? "" : text)
        .results()
        .forEach(its -> numbers.put(its.group(1), Double.valueOf(its.group(2))));
    return numbers;
  }

  private static double[] unknown() {
    double[] values = new double[Figure.ALL.size()];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  /** Asks one family, for all know what the database does. */
  private double[] ofDatabase(OpenDatabase.Family any) {
    double[] values = unknown();
    String text = any.property("rocksdb.options-statistics");
    Statistics statistics = text == null ? null : Statistics.parse(text);
    for (int i = 0; i < values.length; i++) {
      Figure figure = Figure.ALL.get(i);
      if (figure.source() == Source.DATABASE) {
        values[i] =
            figure.statistic() == null
                ? askDatabase(any, figure.question())
                : statistics == null ? Double.NaN : figure.statistic().applyAsDouble(statistics);
      }
    }
    return values;
  }

  private double askDatabase(OpenDatabase.Family any, String question) {
    return switch (question) {
      case "count" -> database.pinCount();
      case "bytes" -> database.pinnedBytes();
      default -> ask(any, question, new HashMap<>());
    };
  }

  /** For a number, or one of those in a text, which is asked for once. */
  private static double ask(OpenDatabase.Family family, String question, Map<String, Map<String, Double>> texts) {
    int blank = question.indexOf(' ');
    if (blank < 0) {
      OptionalLong number = family.longProperty(question);
      return number.isPresent() ? number.getAsLong() : Double.NaN;
    }
    return texts
        .computeIfAbsent(question.substring(0, blank), its -> numbers(family.property(its)))
        .getOrDefault(question.substring(blank + 1), Double.NaN);
  }

  /** A family that is closed meanwhile counts as far as it was asked. */
  private void addFamily(OpenDatabase.Family family, double[] values) {
    Map<String, Map<String, Double>> texts = new HashMap<>();
    try {
      for (int i = 0; i < values.length; i++) {
        Figure figure = Figure.ALL.get(i);
        if (figure.source() == Source.FAMILY) {
          double its = ask(family, figure.question(), texts);
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
