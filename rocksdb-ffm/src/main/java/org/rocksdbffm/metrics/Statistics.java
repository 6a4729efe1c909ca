/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdbffm.internal.metrics.StatisticsText;

/**
 * All that the engine had counted for one database at one moment. Immutable: {@link org.rocksdbffm.DatabaseMetrics#statistics} takes it, and the
 * difference of two says what happened between them.
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
   * Reads the engine's own text of its statistics.
   *
   * @param text the value of the property {@code rocksdb.options-statistics}
   * @return the statistics, without names that are not known here
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
   * One of the counts.
   *
   * @param ticker which
   * @return how often, or how many bytes or microseconds, as its name says
   */
  public long count(Ticker ticker) {
    return counts.get(requireNonNull(ticker, "ticker"));
  }

  /**
   * The values of one of the histograms.
   *
   * @param histogram which
   * @return their number, sum and quantiles; nothing if the level leaves this histogram out
   */
  public Distribution distribution(Histogram histogram) {
    return distributions.get(requireNonNull(histogram, "histogram"));
  }

  /**
   * All counts.
   *
   * @return the counts by ticker, zeros included; cannot be changed
   */
  public Map<Ticker, Long> counts() {
    return counts;
  }

  /**
   * All histograms.
   *
   * @return the distributions by histogram, empty ones included; cannot be changed
   */
  public Map<Histogram, Distribution> distributions() {
    return distributions;
  }

  /**
   * The counts from one moment to another. The engine never begins its counting anew while a database is open, so
   * this is the way to the figures of an interval.
   *
   * @param earlier statistics of the same database, taken before
   * @return the differences, in which distributions have no quantiles
   */
  public Statistics since(Statistics earlier) {
    requireNonNull(earlier, "earlier");
    Map<Ticker, Long> differences = new EnumMap<>(counts);
    differences.replaceAll((ticker, count) -> count - earlier.count(ticker));
    Map<Histogram, Distribution> between = new EnumMap<>(distributions);
    between.replaceAll((histogram, its) -> its.since(earlier.distribution(histogram)));
    return new Statistics(differences, between);
  }

  /** Lists the counts and distributions that are not empty, a line each, by the engine's names. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach((ticker, count) -> {
      if (count != 0) {
        text.append(ticker.id()).append(' ').append(count).append('\n');
      }
    });
    distributions.forEach((histogram, its) -> {
      if (its.count() != 0) {
        text.append(histogram.id()).append(' ').append(its).append('\n');
      }
    });
    return text.toString();
  }
}
