/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.TimeUnit;
import org.rocksdbffm.internal.leak.LeakWatch;
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
 */
public final class RateLimiter implements AutoCloseable {
  private final NativeRateLimiter limiter;
  private final LeakWatch watch;

  private RateLimiter(NativeRateLimiter limiter) {
    this.limiter = limiter;
    this.watch = LeakWatch.over(this, limiter);
  }

  /**
   * Makes a limit of what is written.
   *
   * @param aSecond from 64 KiB to 1024 GiB
   * @return the limiter, which the caller <em>owns</em> and must close
   */
  public static RateLimiter of(ByteSize aSecond) {
    return of(RateLimiterOptions.of(requireNonNull(aSecond, "aSecond")));
  }

  /**
   * Makes a limit.
   *
   * @param options say how much, and of what
   * @return the limiter, which the caller <em>owns</em> and must close
   */
  public static RateLimiter of(RateLimiterOptions options) {
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
    RateLimiterOptions.requireRate("aSecond", requireNonNull(aSecond, "aSecond"), false);
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

  /** Gives up this share of the limiter; idempotent. Databases that were opened with it stay limited, at its last rate. */
  @Override
  public void close() {
    limiter.close();
    watch.end();
  }
}
