/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.internal.settings.NativeTransactionOptions;
import org.rocksdbffm.internal.transaction.NativeTransaction;
import org.rocksdbffm.internal.write.NativeWriteOptions;

/**
 * A database with transactions: {@link TransactionDb} locks keys, {@link OptimisticTransactionDb} checks at the commit.
 * Otherwise like any database; a write outside of a transaction is a transaction of one operation. Thread-safe.
 */
public abstract sealed class TransactionalDb extends RocksDb permits TransactionDb, OptimisticTransactionDb {
  TransactionalDb(DatabaseParts opened) {
    super(opened);
  }

  /** Returns the options of transactions that are retried, which detect deadlocks immediately. */
  abstract TransactionOptions retried();

  /**
   * Starts a transaction.
   *
   * @return the transaction, which the caller <em>owns</em> and must end
   * @throws IllegalStateException if the database is closed
   */
  public Transaction begin() {
    return begin(TransactionOptions.defaults());
  }

  /**
   * Starts a transaction.
   *
   * @param options options of the transaction
   * @return the transaction, which the caller <em>owns</em> and must end
   * @throws IllegalArgumentException if an option is not supported by the kind of transaction
   * @throws IllegalStateException if the database is closed
   */
  public Transaction begin(TransactionOptions options) {
    NativeTransactionOptions nativeOptions = requireNonNull(options, "options").toNative();
    NativeWriteOptions writes = options.writeOptions().toNative();
    if (this instanceof OptimisticTransactionDb) {
      options.requireForOptimistic();
    }
    try {
      NativeTransaction started = NativeTransaction.begin(database(), writes.pointer(), nativeOptions);
      if (options.writeOptions().leavesOutLog()) {
        started.leaveOutLog();
      }
      return of(started);
    } finally {
      Reference.reachabilityFence(writes);
    }
  }

  final Transaction of(NativeTransaction started) {
    try {
      return new Transaction(this, started);
    } catch (Throwable e) {
      started.close();
      throw e;
    }
  }

  /**
   * Runs code in a transaction and commits it; if the transaction conflicts with others, runs the code again in another
   * transaction; see {@link RetryPolicy}. An exception of the code rolls back the transaction, even if it is prepared,
   * and is passed to the caller.
   *
   * <p>The code may run several times, and so may its side effects outside of the transaction: let it compute a result,
   * and use the result after this call. It may end the transaction itself; after its own commit it is not run again.
   *
   * @param <T> the type of the result
   * @param <E> the type of exceptions of the code
   * @param body receives the transaction, <em>borrowed until</em> it returns
   * @return the result of the run that was committed
   * @throws E if the code has thrown it
   * @throws TransactionRetryException if the transaction conflicts too often
   */
  public <T, E extends Exception> T callInTransaction(Body<T, E> body) throws E {
    return callInTransaction(RetryPolicy.defaults(), retried(), body);
  }

  /**
   * Runs code in a transaction, as {@link #callInTransaction(Body)} does.
   *
   * @param <T> the type of the result
   * @param <E> the type of exceptions of the code
   * @param policy the number of attempts, and the delays between them
   * @param options options of the transactions
   * @param body receives the transaction, <em>borrowed until</em> it returns
   * @return the result of the run that was committed
   * @throws E if the code has thrown it
   * @throws TransactionRetryException if the transaction conflicts too often
   */
  public <T, E extends Exception> T callInTransaction(RetryPolicy policy, TransactionOptions options, Body<T, E> body)
      throws E {
    requireNonNull(options, "options");
    requireNonNull(body, "body");
    RetryPolicy.Attempts attempts = requireNonNull(policy, "policy").begin();
    while (true) {
      Transaction transaction = begin(options);
      try (transaction) {
        T result = attempt(body, transaction);
        if (transaction.isOpen()) {
          transaction.commit();
        }
        return result;
      } catch (RocksDbException e) {
        if (transaction.isCommitted()) {
          throw e;
        }
        attempts.failed(e);
      }
    }
  }

  private static <T, E extends Exception> T attempt(Body<T, E> body, Transaction transaction) throws E {
    try {
      return body.run(transaction);
    } catch (Throwable e) {
      try {
        if (transaction.isOpen() && transaction.preparedName().isPresent()) {
          transaction.rollback(); // a close would keep it, with its locks and its name
        }
      } catch (RuntimeException failed) {
        e.addSuppressed(failed);
      }
      throw e;
    }
  }

  /**
   * Runs code without a result in a transaction, as {@link #callInTransaction(Body)} does.
   *
   * @param <E> the type of exceptions of the code
   * @param body receives the transaction, <em>borrowed until</em> it returns
   * @throws E if the code has thrown it
   * @throws TransactionRetryException if the transaction conflicts too often
   */
  public <E extends Exception> void inTransaction(Task<E> body) throws E {
    requireNonNull(body, "body");
    callInTransaction(transaction -> {
      body.run(transaction);
      return null;
    });
  }

  /**
   * Code that runs in a transaction, possibly several times; see {@link TransactionalDb#callInTransaction}.
   *
   * @param <T> the type of the result
   * @param <E> the type of exceptions; inferred as {@link RuntimeException} if there are no checked ones
   */
  @FunctionalInterface
  public interface Body<T, E extends Exception> {
    /**
     * Reads and writes in the transaction.
     *
     * @param transaction <em>borrowed until</em> this returns
     * @return the result
     * @throws E passed to the caller of {@code callInTransaction}, after the transaction was rolled back
     */
    T run(Transaction transaction) throws E;
  }

  /**
   * Code without a result that runs in a transaction, possibly several times; see
   * {@link TransactionalDb#inTransaction}.
   *
   * @param <E> the type of exceptions; inferred as {@link RuntimeException} if there are no checked ones
   */
  @FunctionalInterface
  public interface Task<E extends Exception> {
    /**
     * Reads and writes in the transaction.
     *
     * @param transaction <em>borrowed until</em> this returns
     * @throws E passed to the caller of {@code inTransaction}, after the transaction was rolled back
     */
    void run(Transaction transaction) throws E;
  }

  /**
   * How often a conflicting transaction is retried, and the delays between the attempts: each is twice as long as the
   * previous one, up to a maximum, and then randomly reduced by up to half. Immutable.
   *
   * <p>Retries follow only a {@linkplain RocksDbException#isConflict conflict}. Other exceptions are passed to the
   * caller.
   *
   * @param maxAttempts the maximum number of attempts, at least one
   * @param maxElapsed the time after which there is no further attempt; a longer delay is shortened to it, for a last
   *     attempt
   * @param firstDelay the first delay
   * @param maxDelay the longest delay
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
     * Returns a policy of a hundred attempts within ten seconds, with delays of 0.1 to 50 milliseconds.
     *
     * @return the default policy
     */
    public static RetryPolicy defaults() {
      return DEFAULTS;
    }

    /**
     * Returns a policy of one attempt.
     *
     * @return a policy without retries
     */
    public static RetryPolicy never() {
      return new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    Attempts begin() {
      return new Attempts(this);
    }

    /** The attempts of one transaction. Not thread-safe. */
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

      /** Waits before the next attempt; throws if there will be no further one. */
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
}
