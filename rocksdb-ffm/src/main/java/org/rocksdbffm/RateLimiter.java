/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.internal.settings.NativeRateLimiter;

/**
 * A limit of the bytes that flushes and compactions of several databases move in a second, so that reads find the disk
 * free. Its owner closes it; databases opened with it keep their share. Thread-safe.
 *
 * <p>All databases of the process share the engine's threads. A flush or compaction that waits for its limiter occupies one of
 * them, so a low rate for one database delays the flushes of the others, whatever their limiters: give {@link EngineThreads}
 * more threads then.
 *
 * <p>The close of a database waits for its flush that is under way, at this rate: a higher one, set before or meanwhile,
 * has it end sooner.
 *
 * <p>Another build of the engine than that of the native jar may have no functions for the figures and for a change of the
 * rate, which are an {@link UnsupportedOperationException} then.
 *
 * <p>A close gives up this share of the limiter: databases that were opened with it stay limited, at its last rate.
 */
public final class RateLimiter extends Resource {
  private final NativeRateLimiter limiter;

  private RateLimiter(NativeRateLimiter limiter) {
    super(limiter);
    this.limiter = limiter;
  }

  /**
   * Makes a limit of what is written.
   *
   * @param aSecond from 64 KiB to 1024 GiB
   * @return the limiter, which the caller <em>owns</em> and must close
   */
  public static RateLimiter of(ByteSize aSecond) {
    return of(Options.of(requireNonNull(aSecond, "aSecond")));
  }

  /**
   * Makes a limit.
   *
   * @param options say how much, and of what
   * @return the limiter, which the caller <em>owns</em> and must close
   */
  public static RateLimiter of(Options options) {
    requireNonNull(options, "options");
    return new RateLimiter(
        NativeRateLimiter.of(
            options.rate().bytes(),
            TimeUnit.MICROSECONDS.convert(options.refillPeriod()),
            options.fairness(),
            options.limits().mode(),
            options.autoTuned()));
  }

  NativeRateLimiter nativeLimiter() {
    return limiter;
  }

  /**
   * How much is moved in a second at most.
   *
   * @return the rate; of a limiter that tunes itself, that of the moment
   */
  public ByteSize rate() {
    return ByteSize.bytes(limiter.rate());
  }

  /**
   * Changes how much is moved in a second, while databases use it.
   *
   * @param aSecond from 64 KiB to 1024 GiB
   * @throws IllegalStateException if the limiter tunes itself, and so would change it again
   */
  public void rate(ByteSize aSecond) {
    Options.requireRate("aSecond", requireNonNull(aSecond, "aSecond"), false);
    if (limiter.tunes()) {
      throw new IllegalStateException("the " + limiter.name() + " tunes itself: make one that does not, to set its rate");
    }
    limiter.setRate(aSecond.bytes());
  }

  /**
   * How much has passed.
   *
   * @return the size of all that was let through
   */
  public ByteSize bytesThrough() {
    return ByteSize.bytes(limiter.bytesThrough());
  }

  /**
   * How often somebody asked to pass.
   *
   * @return the count of requests
   */
  public long requests() {
    return limiter.requests();
  }

  /**
   * Options of a {@link RateLimiter}.
   *
   * @param rate how much is moved in a second at most
   * @param refillPeriod how often a share of that is handed out
   * @param fairness once in how many times compactions are served before flushes
   * @param limits the work that is limited
   * @param autoTuned whether the limiter lowers its rate, to a twentieth at the lowest, while less is wanted
   */
  public record Options(
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
    public Options {
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
    public static Options of(ByteSize rate) {
      return new Options(requireNonNull(rate, "rate"), USUAL, USUAL_FAIRNESS, Limits.WRITES, false);
    }

    /**
     * How often a share of the rate is handed out: a short period makes for an even flow, and for more work.
     *
     * @param period from 10 milliseconds to a second
     * @return the changed options
     */
    public Options refillPeriod(Duration period) {
      return new Options(rate, requireNonNull(period, "period"), fairness, limits, autoTuned);
    }

    /**
     * How often compactions, which wait for flushes otherwise, are served first.
     *
     * @param oneIn once in so many times, from 1 to 100
     * @return the changed options
     */
    public Options fairness(int oneIn) {
      return new Options(rate, refillPeriod, oneIn, limits, autoTuned);
    }

    /**
     * The work that is limited.
     *
     * @param work reads, writes or both
     * @return the changed options
     */
    public Options limits(Limits work) {
      return new Options(rate, refillPeriod, fairness, requireNonNull(work, "work"), autoTuned);
    }

    /**
     * Whether the rate follows what is wanted, below that of these options and down to a twentieth of it.
     *
     * @param tuned true to have it tuned; the rate is from 2 MiB then
     * @return the changed options
     */
    public Options autoTuned(boolean tuned) {
      return new Options(rate, refillPeriod, fairness, limits, tuned);
    }
  }
}
