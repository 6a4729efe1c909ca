/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.metrics.Distribution;
import org.rocksdbffm.metrics.Histogram;
import org.rocksdbffm.metrics.Statistics;
import org.rocksdbffm.metrics.Ticker;
import org.rocksdbffm.monitor.Figure.Kind;
import org.rocksdbffm.monitor.Figure.Source;

/** Reads the list of figures, which says itself how it is written. */
final class FigureList {
  private static final int LEVELS = 7; // as many as a family has unless it is opened with others
  private static final double MICROS = 1e-6;
  private static final Map<String, Ticker> TICKERS = byId(Ticker.values(), Ticker::id);
  private static final Map<String, Histogram> HISTOGRAMS = byId(Histogram.values(), Histogram::id);

  private final List<Figure> figures = new ArrayList<>();

  // The row that is being read.
  private boolean isFirst;
  private String unit;
  private String description;

  private FigureList() {}

  static List<Figure> read() {
    FigureList list = new FigureList();
    lines("figures.txt").forEach(list::readRow);
    return List.copyOf(list.figures);
  }

  /** The lines of a text beside this class that are no comments. */
  static List<String> lines(String file) {
    try (InputStream text = FigureList.class.getResourceAsStream(file)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> Map<String, T> byId(T[] all, Function<T, String> id) {
    return Stream.of(all).collect(Collectors.toMap(id, Function.identity()));
  }

  private void readRow(String row) {
    String[] cells = row.split(" \\| ");
    String[] words = cells[2].split(" ");
    isFirst = row.startsWith("*");
    unit = cells[1];
    description = cells[3];
    String[] parts = cells[0].substring(isFirst ? 1 : 0).split("[{}]");
    String name = parts[0];
    Map<String, String> tags = new LinkedHashMap<>();
    for (String tag : parts.length == 1 ? new String[0] : parts[1].split(",")) {
      tags.put(tag.split("=")[0], tag.split("=")[1]);
    }
    boolean addsUp = unit.startsWith("{") || unit.equals("By");
    String question = cells[2].substring(Math.min(cells[2].length(), words[0].length() + 1));
    switch (words[0]) {
      case "process" -> add(name, tags, Kind.SUM, Source.PROCESS, question, null);
      case "process+" -> add(name, tags, Kind.COUNTER, Source.PROCESS, question, null);
      case "pins" -> add(name, tags, Kind.SUM, Source.DATABASE, question, null);
      case "property" -> add(name, tags, addsUp ? Kind.SUM : Kind.GAUGE, Source.DATABASE, question, null);
      case "property+" -> add(name, tags, Kind.COUNTER, Source.DATABASE, question, null);
      case "family" -> add(name, tags, Kind.SUM, Source.FAMILY, question, null);
      case "family+" -> add(name, tags, Kind.COUNTER, Source.FAMILY, question, null);
      case "cache" -> add(name, tags, Kind.GAUGE, Source.FAMILY, question, null);
      case "levels" -> addLevels(name, question);
      case "ticker" -> addTicker(name, tags, found(TICKERS, words[1]), words.length == 3 ? MICROS : 1);
      case "histogram" -> addHistogram(name, found(HISTOGRAMS, words[1]), words.length == 3 ? MICROS : 1);
      default -> throw new IllegalStateException("no source of figures: " + row);
    }
  }

  private static <T> T found(Map<String, T> all, String id) {
    if (!all.containsKey(id)) {
      throw new IllegalStateException("the engine counts no " + id);
    }
    return all.get(id);
  }

  private void add(
      String name,
      Map<String, String> tags,
      Kind kind,
      Source source,
      String question,
      ToDoubleFunction<Statistics> statistic) {
    figures.add(
        new Figure(
            name, Collections.unmodifiableMap(tags), unit, kind, source, question, statistic, description, isFirst));
  }

  private void addLevels(String name, String question) {
    for (int level = 0; level < LEVELS; level++) {
      add(name, Map.of("level", String.valueOf(level)), Kind.SUM, Source.FAMILY, question + " " + level, null);
    }
  }

  private void addTicker(String name, Map<String, String> tags, Ticker ticker, double scale) {
    add(name, tags, Kind.COUNTER, Source.DATABASE, "", all -> all.count(ticker) * scale);
  }

  /** Percentiles and the largest, since the opening; and the sum and the number, for the average of an interval. */
  private void addHistogram(String name, Histogram histogram, double scale) {
    String values = description;
    description = values + ": percentiles since the opening, estimated";
    addPart(name + ".percentile", Map.of("percentile", "50"), Kind.GAUGE, histogram, its -> its.median() * scale);
    addPart(name + ".percentile", Map.of("percentile", "95"), Kind.GAUGE, histogram, its -> its.p95() * scale);
    addPart(name + ".percentile", Map.of("percentile", "99"), Kind.GAUGE, histogram, its -> its.p99() * scale);
    isFirst = false;
    description = values + ": the largest since the opening";
    addPart(name + ".max", Map.of(), Kind.GAUGE, histogram, its -> its.max() * scale);
    description = values + ": the sum of all";
    addPart(name + ".sum", Map.of(), Kind.COUNTER, histogram, its -> its.sum() * scale);
    description = values + ": how many there were";
    unit = "{value}";
    addPart(name + ".recorded", Map.of(), Kind.COUNTER, histogram, Distribution::count);
  }

  private void addPart(
      String name, Map<String, String> tags, Kind kind, Histogram histogram, ToDoubleFunction<Distribution> part) {
    add(name, tags, kind, Source.DATABASE, "", all -> part.applyAsDouble(all.distribution(histogram)));
  }
}
