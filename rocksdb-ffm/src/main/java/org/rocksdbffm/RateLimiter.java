/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.rocksdbffm.internal.settings.NativeRateLimiter;

/**
 * A limit of the bytes per second of flushes and compactions of several databases, to leave I/O bandwidth for reads.
 * Its owner closes it; databases opened with it keep their share. Thread-safe.
 *
 * <p>All databases of the process share RocksDB's threads. A flush or compaction that waits for its limiter occupies a
 * thread, so a low rate for one database delays the flushes of others, whatever their limiters: use more
 * {@link EngineThreads} then.
 *
 * <p>The close of a database waits for its current flush, at this rate: a higher rate, even if set during the close,
 * shortens it.
 *
 * <p>Other builds of the engine than the native jar's may lack the functions for the metrics and for changing the rate;
 * these methods then throw {@link UnsupportedOperationException}.
 *
 * <p>Closing releases this share of the limiter: databases that were opened with it stay limited, at its last rate.
 */
public final class RateLimiter extends Resource {
  private final NativeRateLimiter limiter;

  private RateLimiter(NativeRateLimiter limiter) {
    super(limiter);
    this.limiter = limiter;
  }

  /**
   * Creates a limit of writes.
   *
   * @param aSecond bytes per second, from 64 KiB to 1024 GiB
   * @return the limiter, which the caller <em>owns</em> and must close
   * @throws IllegalArgumentException if the rate is out of range
   */
  public static RateLimiter of(ByteSize aSecond) {
    return of(Options.of(requireNonNull(aSecond, "aSecond")));
  }

  /**
   * Creates a limiter.
   *
   * @param options the rate, and the work to limit
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
   * Returns the maximum bytes per second.
   *
   * @return the rate; for an auto-tuned limiter, the current one
   * @throws UnsupportedOperationException if the engine's build lacks the function
   */
  public ByteSize rate() {
    return ByteSize.bytes(limiter.rate());
  }

  /**
   * Changes the maximum bytes per second, also while databases use the limiter.
   *
   * @param aSecond bytes per second, from 64 KiB to 1024 GiB
   * @throws IllegalStateException if the limiter is auto-tuned, because it would change the rate again
   * @throws UnsupportedOperationException if the engine's build lacks the function
   */
  public void rate(ByteSize aSecond) {
    Options.requireRate("aSecond", requireNonNull(aSecond, "aSecond"), false);
    if (limiter.tunes()) {
      throw new IllegalStateException("the " + limiter.name() + " tunes itself: make one that does not, to set its rate");
    }
    limiter.setRate(aSecond.bytes());
  }

  /**
   * Returns the bytes that have passed the limiter.
   *
   * @return the total size
   * @throws UnsupportedOperationException if the engine's build lacks the function
   */
  public ByteSize bytesThrough() {
    return ByteSize.bytes(limiter.bytesThrough());
  }

  /**
   * Returns the number of requests to the limiter.
   *
   * @return the count
   * @throws UnsupportedOperationException if the engine's build lacks the function
   */
  public long requests() {
    return limiter.requests();
  }

  /**
   * Options of a {@link RateLimiter}.
   *
   * @param rate the maximum bytes per second
   * @param refillPeriod the interval in which a part of the rate becomes available
   * @param fairness one in how many times compactions are served before flushes
   * @param limits the work to limit
   * @param autoTuned whether the limiter adapts its rate to the demand, down to a twentieth
   */
  public record Options(
      ByteSize rate, Duration refillPeriod, int fairness, Limits limits, boolean autoTuned) {
    private static final ByteSize LEAST = ByteSize.kib(64);
    private static final ByteSize LEAST_TUNED = ByteSize.mib(2); // a twentieth is above the least
    private static final ByteSize MOST = ByteSize.gib(1024);
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Duration USUAL = Duration.ofMillis(100);
    private static final int USUAL_FAIRNESS = 10;
    private static final int MOST_UNFAIR = 100;

    /** The work that a rate limiter can limit. */
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

    /** Refuses rates and periods that would block the engine forever, or for very long. */
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
     * Returns options that limit writes, refill ten times a second, and keep a fixed rate.
     *
     * @param rate bytes per second, from 64 KiB to 1024 GiB
     * @return the options
     */
    public static Options of(ByteSize rate) {
      return new Options(requireNonNull(rate, "rate"), USUAL, USUAL_FAIRNESS, Limits.WRITES, false);
    }

    /**
     * Sets the refill period: shorter periods smooth the rate, and cost more CPU time.
     *
     * @param period from 10 milliseconds to a second
     * @return the changed options
     */
    public Options refillPeriod(Duration period) {
      return new Options(rate, requireNonNull(period, "period"), fairness, limits, autoTuned);
    }

    /**
     * Sets how often compactions, which otherwise wait for flushes, are served first.
     *
     * @param oneIn one in so many times, from 1 to 100
     * @return the changed options
     */
    public Options fairness(int oneIn) {
      return new Options(rate, refillPeriod, oneIn, limits, autoTuned);
    }

    /**
     * Sets the work to limit.
     *
     * @param work reads, writes or both
     * @return the changed options
     */
    public Options limits(Limits work) {
      return new Options(rate, refillPeriod, fairness, requireNonNull(work, "work"), autoTuned);
    }

    /**
     * Sets whether the rate adapts to the demand, between the rate of these options and a twentieth of it.
     *
     * @param tuned true for auto-tuning, which needs a rate of at least 2 MiB
     * @return the changed options
     */
    public Options autoTuned(boolean tuned) {
      return new Options(rate, refillPeriod, fairness, limits, tuned);
    }
  }
}
