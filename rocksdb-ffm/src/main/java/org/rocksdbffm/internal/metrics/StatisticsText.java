/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * The engine's text of its statistics, by name: {@code NAME COUNT : 7} for a ticker, and
 * {@code NAME P50 : 1.0 P95 : 2.0 P99 : 3.0 P100 : 4.0 COUNT : 5 SUM : 6} for a histogram.
 */
public final class StatisticsText {
  /** One histogram. */
  public record Line(double p50, double p95, double p99, double p100, long count, long sum) {}

  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Line> histograms = new HashMap<>();

  private StatisticsText() {}

  /** Reads lines of both forms. */
  public static StatisticsText parse(String text) {
    StatisticsText parsed = new StatisticsText();
    text.lines().forEach(parsed::read);
    return parsed;
  }

  private void read(String line) {
    String[] words = line.split(" ");
    if (words.length == 4 && words[1].equals("COUNT")) {
      counts.put(words[0], Long.parseUnsignedLong(words[3]));
    } else if (words.length == 19 && words[1].equals("P50")) {
      histograms.put(
          words[0],
          new Line(
              number(words[3]),
              number(words[6]),
              number(words[9]),
              number(words[12]),
              Long.parseUnsignedLong(words[15]),
              Long.parseUnsignedLong(words[18])));
    }
  }

  /** C writes a comma where the language that the process was started with does. */
  private static double number(String word) {
    return Double.parseDouble(word.replace(',', '.'));
  }

  /** A ticker's count; 0 if there is none of the name. */
  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** A histogram, or null if there is none of the name. */
  public Line histogram(String name) {
    return histograms.get(name);
  }

  /** The names of all tickers. */
  public Iterable<String> tickers() {
    return counts.keySet();
  }

  /** The names of all histograms. */
  public Iterable<String> histograms() {
    return histograms.keySet();
  }
}
