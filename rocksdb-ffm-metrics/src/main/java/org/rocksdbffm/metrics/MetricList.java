/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdbffm.internal.watch.OpenStatistics;
import org.rocksdbffm.metrics.Metric.Kind;
import org.rocksdbffm.metrics.Metric.Source;
import org.rocksdbffm.metrics.Metric.Value;
import org.rocksdbffm.reports.Histogram;
import org.rocksdbffm.reports.Ticker;

/** Reads the list of metrics; its format is described in the list. */
final class MetricList {
  private static final int LEVELS = 7; // RocksDB's default
  private static final double MICROS = 1e-6;
  private static final List<String> TICKERS = Stream.of(Ticker.values()).map(Ticker::id).toList();
  private static final List<String> HISTOGRAMS = Stream.of(Histogram.values()).map(Histogram::id).toList();

  final List<Metric> metrics = new ArrayList<>();

  /** RocksDB's numbers of the tickers that metrics use. */
  final List<Integer> tickers = new ArrayList<>();

  final List<Integer> histograms = new ArrayList<>();

  // The row that is being read.
  private boolean isFirst;
  private String unit;
  private String description;

  private MetricList() {}

  static MetricList read() {
    MetricList list = new MetricList();
    lines("metrics.txt").forEach(list::readRow);
    return list;
  }

  /** Returns the lines of a resource next to this class, without comments and empty lines. */
  static List<String> lines(String file) {
    try (InputStream text = MetricList.class.getResourceAsStream(file)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    boolean addsUp = (unit.startsWith("{") || unit.equals("By")) && !words[0].equals("cache");
    Kind kind = words[0].endsWith("+") ? Kind.COUNTER : addsUp ? Kind.SUM : Kind.GAUGE;
    String question = words.length == 1 ? "" : words[1];
    Value property = property(question, words.length == 3 ? words[2] : "");
    double scale = words.length == 3 ? MICROS : 1;
    switch (words[0].replace("+", "")) {
      case "process" -> add(name, tags, kind, Source.PROCESS, question, null);
      case "archive" -> add(name, tags, kind, Source.ARCHIVE, question, null);
      case "pins" -> add(name, tags, kind, Source.DATABASE, "", (database, answers, counts) -> database.pinCount());
      case "bytes" -> add(name, tags, kind, Source.DATABASE, "", (database, answers, counts) -> database.pinnedBytes());
      case "property" -> add(name, tags, kind, Source.DATABASE, question, property);
      case "family", "cache" -> add(name, tags, kind, Source.FAMILY, question, property);
      case "levels" -> addLevels(name, question);
      case "ticker" -> addTicker(name, tags, number(TICKERS, question), scale);
      case "histogram" -> addHistogram(name, number(HISTOGRAMS, question), scale);
      default -> throw new IllegalStateException("no source of metrics: " + row);
    }
  }

  private static int number(List<String> all, String id) {
    if (!all.contains(id)) {
      throw new IllegalStateException("the engine counts no " + id);
    }
    return all.indexOf(id);
  }

  /** Returns a function that parses a property: a number, or a text with a number after a name. */
  private static Value property(String property, String name) {
    String mark = name.isEmpty() ? "" : " " + name + ": ";
    return (database, properties, counts) -> {
      String text = properties.getOrDefault(property, "");
      int begin = text.indexOf(mark) + mark.length();
      int end = begin;
      while (end < text.length() && Character.isDigit(text.charAt(end))) {
        end++;
      }
      return !text.contains(mark) || begin == end ? Double.NaN : Double.parseDouble(text.substring(begin, end));
    };
  }

  private void add(
      String name, Map<String, String> tags, Kind kind, Source source, String question, Value value) {
    metrics.add(
        new Metric(name, Collections.unmodifiableMap(tags), unit, kind, source, question, value, description, isFirst));
  }

  private void addLevels(String name, String question) {
    for (int level = 0; level < LEVELS; level++) {
      String property = question + level;
      add(name, Map.of("level", "" + level), Kind.SUM, Source.FAMILY, property, property(property, ""));
    }
  }

  private void addTicker(String name, Map<String, String> tags, int number, double scale) {
    int place = tickers.size();
    tickers.add(number);
    add(name, tags, Kind.COUNTER, Source.DATABASE, "", (database, answers, counts) -> scale * at(place, counts));
  }

  /** Adds percentiles and the maximum since the opening, and the sum and count, for the average of an interval. */
  private void addHistogram(String name, int number, double scale) {
    String values = description;
    histograms.add(number);
    description = values + ": percentiles since the opening, estimated";
    addPart(name + ".percentile", Map.of("percentile", "50"), Kind.GAUGE, 0, scale);
    addPart(name + ".percentile", Map.of("percentile", "95"), Kind.GAUGE, 1, scale);
    addPart(name + ".percentile", Map.of("percentile", "99"), Kind.GAUGE, 2, scale);
    isFirst = false;
    description = values + ": the largest since the opening";
    addPart(name + ".max", Map.of(), Kind.GAUGE, 3, scale);
    description = values + ": the sum of all";
    addPart(name + ".sum", Map.of(), Kind.COUNTER, 4, scale);
    description = values + ": how many there were";
    unit = "{value}";
    addPart(name + ".recorded", Map.of(), Kind.COUNTER, 5, 1);
  }

  /** Adds a metric of a histogram; the values of histograms follow the values of tickers. */
  private void addPart(String name, Map<String, String> tags, Kind kind, int part, double scale) {
    int place = OpenStatistics.PARTS * (histograms.size() - 1) + part;
    Value value = (database, answers, counts) -> scale * at(tickers.size() + place, counts);
    add(name, tags, kind, Source.DATABASE, "", value);
  }

  private static double at(int place, double[] counts) {
    return counts.length == 0 ? Double.NaN : counts[place];
  }
}
