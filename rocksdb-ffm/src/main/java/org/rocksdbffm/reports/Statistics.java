/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.internal.reports.StatisticsText;

/**
 * A snapshot of a database's statistics. Immutable. {@link org.rocksdbffm.DatabaseMetrics#statistics} takes it; the
 * difference of two covers the time between them.
 *
 * <pre>{@code
 * Statistics before = db.metrics().statistics();
 * work();
 * Statistics during = db.metrics().statistics().since(before);
 * long misses = during.count(Ticker.BLOCK_CACHE_MISS);
 * double average = during.distribution(Histogram.DB_GET_MICROS).average();
 * }</pre>
 */
public final class Statistics {
  private final Map<Ticker, Long> counts;
  private final Map<Histogram, Distribution> distributions;

  private Statistics(Map<Ticker, Long> counts, Map<Histogram, Distribution> distributions) {
    this.counts = Collections.unmodifiableMap(counts);
    this.distributions = Collections.unmodifiableMap(distributions);
  }

  /**
   * Parses the engine's statistics text.
   *
   * @param text the value of the property {@code rocksdb.options-statistics}
   * @return the statistics; unknown names are ignored
   */
  public static Statistics parse(String text) {
    Map<Ticker, Long> counts = new EnumMap<>(Ticker.class);
    Map<Histogram, Distribution> distributions = new EnumMap<>(Histogram.class);
    StatisticsText read = StatisticsText.parse(requireNonNull(text, "text"));
    for (Ticker ticker : Ticker.values()) {
      counts.put(ticker, read.count(ticker.id()));
    }
    for (Histogram histogram : Histogram.values()) {
      StatisticsText.Line line = read.histogram(histogram.id());
      distributions.put(
          histogram,
          line == null
              ? new Distribution(0, 0, 0, 0, 0, 0)
              : new Distribution(line.count(), line.sum(), line.p50(), line.p95(), line.p99(), line.p100()));
    }
    return new Statistics(counts, distributions);
  }

  /**
   * Returns one count.
   *
   * @param ticker the ticker
   * @return the number, bytes or microseconds, as the ticker's name says
   */
  public long count(Ticker ticker) {
    return counts.get(requireNonNull(ticker, "ticker"));
  }

  /**
   * Returns the values of one histogram.
   *
   * @param histogram the histogram
   * @return the distribution; empty if the statistics level excludes this histogram
   */
  public Distribution distribution(Histogram histogram) {
    return distributions.get(requireNonNull(histogram, "histogram"));
  }

  /**
   * Returns all counts.
   *
   * @return an unmodifiable map by ticker that includes zeros
   */
  public Map<Ticker, Long> counts() {
    return counts;
  }

  /**
   * Returns all histograms.
   *
   * @return an unmodifiable map by histogram that includes empty distributions
   */
  public Map<Histogram, Distribution> distributions() {
    return distributions;
  }

  /**
   * Returns the difference to earlier statistics. The engine never resets its counts while a database is open, so this
   * is the way to measure an interval.
   *
   * @param earlier earlier statistics of the same database
   * @return the differences, whose distributions have no quantiles
   */
  public Statistics since(Statistics earlier) {
    requireNonNull(earlier, "earlier");
    Map<Ticker, Long> differences = new EnumMap<>(counts);
    differences.replaceAll((ticker, count) -> count - earlier.count(ticker));
    Map<Histogram, Distribution> between = new EnumMap<>(distributions);
    between.replaceAll((histogram, distribution) -> distribution.since(earlier.distribution(histogram)));
    return new Statistics(differences, between);
  }

  /** Lists the non-empty counts and distributions, one per line, by the engine's names. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach((ticker, count) -> {
      if (count != 0) {
        text.append(ticker.id()).append(' ').append(count).append('\n');
      }
    });
    distributions.forEach((histogram, distribution) -> {
      if (distribution.count() != 0) {
        text.append(histogram.id()).append(' ').append(distribution).append('\n');
      }
    });
    return text.toString();
  }
}
