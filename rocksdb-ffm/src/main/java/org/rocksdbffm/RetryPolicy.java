/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How often a transaction that came in the way of others is tried again, and how long that waits in between: twice as
 * long each time, up to a limit, and by chance between half of that and the whole. Immutable.
 *
 * <p>It is tried again after a {@linkplain RocksDbException#isConflict conflict}. Anything else is thrown on.
 *
 * @param maxAttempts how often it is tried, at least once
 * @param maxElapsed after this time it is not tried again; a wait that would be longer ends then, before a last try
 * @param firstDelay how long the first wait is
 * @param maxDelay how long a wait is at most
 */
public record RetryPolicy(int maxAttempts, Duration maxElapsed, Duration firstDelay, Duration maxDelay) {
  private static final RetryPolicy DEFAULTS =
      new RetryPolicy(100, Duration.ofSeconds(10), Duration.ofNanos(100_000), Duration.ofMillis(50));

  /** Checks the limits. */
  public RetryPolicy {
    requireNotNegative("maxElapsed", maxElapsed);
    requireNotNegative("firstDelay", firstDelay);
    requireNotNegative("maxDelay", maxDelay);
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts: " + maxAttempts + " is less than one");
    }
  }

  private static void requireNotNegative(String name, Duration duration) {
    if (requireNonNull(duration, name).isNegative()) {
      throw new IllegalArgumentException(name + ": " + duration + " is below zero");
    }
  }

  /**
   * A hundred tries within ten seconds, with waits of 0.1 to 50 milliseconds.
   *
   * @return the policy that counts where none is named
   */
  public static RetryPolicy defaults() {
    return DEFAULTS;
  }

  /**
   * One try.
   *
   * @return a policy that gives up at once
   */
  public static RetryPolicy never() {
    return new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  Attempts begin() {
    return new Attempts(this);
  }

  /** The tries of one transaction. One thread. */
  static final class Attempts {
    private final RetryPolicy policy;
    private final long began = System.nanoTime();
    private int failed;
    private long delay;

    private Attempts(RetryPolicy policy) {
      this.policy = policy;
      delay = nanos(policy.firstDelay);
    }

    private static long nanos(Duration duration) {
      try {
        return duration.toNanos();
      } catch (ArithmeticException e) {
        return Long.MAX_VALUE;
      }
    }

    /** Waits before the next try, or throws because there is to be none. */
    void failed(RocksDbException e) {
      if (!e.isConflict()) {
        throw e;
      }
      failed++;
      long elapsed = System.nanoTime() - began;
      long left = nanos(policy.maxElapsed) - elapsed;
      if (failed == policy.maxAttempts || left <= 0) {
        throw new TransactionRetryException(failed, Duration.ofNanos(elapsed), e);
      }
      pause(left);
    }

    private void pause(long left) {
      long most = Math.min(delay, nanos(policy.maxDelay));
      if (most > 0) {
        LockSupport.parkNanos(Math.min(left, most - ThreadLocalRandom.current().nextLong(most / 2 + 1)));
      }
      delay = Math.min(delay, Long.MAX_VALUE / 2) * 2;
    }
  }
}
