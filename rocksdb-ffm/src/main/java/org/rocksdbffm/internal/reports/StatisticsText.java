/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.reports;

import java.util.HashMap;
import java.util.Map;

/**
 * Parses the engine's statistics text: {@code NAME COUNT : 7} for a ticker, and {@code NAME P50 : 1.0 P95 : 2.0 P99 :
 * 3.0 P100 : 4.0 COUNT : 5 SUM : 6} for a histogram.
 */
public final class StatisticsText {
  /** One histogram. */
  public record Line(double p50, double p95, double p99, double p100, long count, long sum) {}

  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Line> histograms = new HashMap<>();

  private StatisticsText() {}

  /** Parses tickers and histograms; other lines are skipped. */
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

  /** C uses a decimal comma if the locale of the process does. */
  private static double number(String word) {
    return Double.parseDouble(word.replace(',', '.'));
  }

  /** Returns the count of a ticker; 0 if it is missing. */
  public long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** Returns a histogram, or null if it is missing. */
  public Line histogram(String name) {
    return histograms.get(name);
  }

  public Iterable<String> tickers() {
    return counts.keySet();
  }

  public Iterable<String> histograms() {
    return histograms.keySet();
  }
}
