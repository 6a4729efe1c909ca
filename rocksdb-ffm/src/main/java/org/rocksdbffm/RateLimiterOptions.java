/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Options of a {@link RateLimiter}.
 *
 * @param rate how much is moved in a second at most
 * @param refillPeriod how often a share of that is handed out
 * @param fairness once in how many times compactions are served before flushes
 * @param limits the work that is limited
 * @param autoTuned whether the limiter lowers its rate, to a twentieth at the lowest, while less is wanted
 */
public record RateLimiterOptions(
    ByteSize rate, Duration refillPeriod, int fairness, Limits limits, boolean autoTuned) {
  private static final ByteSize LEAST = ByteSize.kib(64);
  private static final ByteSize LEAST_TUNED = ByteSize.mib(2); // a twentieth of which is above the least
  private static final ByteSize MOST = ByteSize.gib(1024);
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final Duration USUAL = Duration.ofMillis(100);
  private static final int USUAL_FAIRNESS = 10;
  private static final int MOST_UNFAIR = 100;

  /** The work that a rate limiter limits. */
  public enum Limits {
    /** The reads of compactions. */
    READS,
    /** The writes of flushes and compactions. */
    WRITES,
    /** Both together. */
    READS_AND_WRITES;

    int mode() {
      return ordinal();
    }
  }

  /** Refuses what the engine would never let a byte through with, or hold work up for very long. */
  public RateLimiterOptions {
    requireNonNull(rate, "rate");
    requireNonNull(refillPeriod, "refillPeriod");
    requireNonNull(limits, "limits");
    requireRate("rate", rate, autoTuned);
    if (refillPeriod.compareTo(SHORTEST) < 0 || refillPeriod.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "refillPeriod: " + refillPeriod + ", but it must be from " + SHORTEST + " to " + LONGEST);
    }
    if (fairness < 1 || fairness > MOST_UNFAIR) {
      throw new IllegalArgumentException("fairness: " + fairness + ", but it must be from 1 to " + MOST_UNFAIR);
    }
  }

  static void requireRate(String name, ByteSize rate, boolean autoTuned) {
    ByteSize least = autoTuned ? LEAST_TUNED : LEAST;
    if (rate.bytes() < least.bytes() || rate.bytes() > MOST.bytes()) {
      throw new IllegalArgumentException(
          name + ": " + rate + " a second, but it must be from " + least + " to " + MOST
              + (autoTuned ? ", of which a twentieth is left when it is tuned down" : "")
              + "; a slower one holds up flushes, and writes behind them, for very long");
    }
  }

  /**
   * Limits what is written, hands out shares ten times a second, and keeps to its rate.
   *
   * @param rate how much in a second, from 64 KiB to 1024 GiB
   * @return the options
   */
  public static RateLimiterOptions of(ByteSize rate) {
    return new RateLimiterOptions(requireNonNull(rate, "rate"), USUAL, USUAL_FAIRNESS, Limits.WRITES, false);
  }

  /**
   * How often a share of the rate is handed out: a short period makes for an even flow, and for more work.
   *
   * @param period from 10 milliseconds to a second
   * @return the changed options
   */
  public RateLimiterOptions refillPeriod(Duration period) {
    return new RateLimiterOptions(rate, requireNonNull(period, "period"), fairness, limits, autoTuned);
  }

  /**
   * How often compactions, which wait for flushes otherwise, are served first.
   *
   * @param oneIn once in so many times, from 1 to 100
   * @return the changed options
   */
  public RateLimiterOptions fairness(int oneIn) {
    return new RateLimiterOptions(rate, refillPeriod, oneIn, limits, autoTuned);
  }

  /**
   * The work that is limited.
   *
   * @param work reads, writes or both
   * @return the changed options
   */
  public RateLimiterOptions limits(Limits work) {
    return new RateLimiterOptions(rate, refillPeriod, fairness, requireNonNull(work, "work"), autoTuned);
  }

  /**
   * Whether the rate follows what is wanted, below that of these options and down to a twentieth of it.
   *
   * @param tuned true to have it tuned; the rate is from 2 MiB then
   * @return the changed options
   */
  public RateLimiterOptions autoTuned(boolean tuned) {
    return new RateLimiterOptions(rate, refillPeriod, fairness, limits, tuned);
  }
}
