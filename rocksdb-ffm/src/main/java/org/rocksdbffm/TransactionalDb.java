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
 * All else is as for any database; a write outside of a transaction is one of its own. Thread-safe.
 */
public abstract sealed class TransactionalDb extends RocksDb permits TransactionDb, OptimisticTransactionDb {
  TransactionalDb(Opened opened) {
    super(opened);
  }

  /** The options of transactions that are tried again: those find out at once where they wait for each other. */
  abstract TransactionOptions retried();

  /**
   * Begins a transaction.
   *
   * @return the transaction, which the caller <em>owns</em> and must end
   */
  public Transaction begin() {
    return begin(TransactionOptions.defaults());
  }

  /**
   * Begins a transaction.
   *
   * @param options how
   * @return the transaction, which the caller <em>owns</em> and must end
   */
  public Transaction begin(TransactionOptions options) {
    NativeTransactionOptions its = requireNonNull(options, "options").toNative();
    NativeWriteOptions writes = options.writeOptions().toNative();
    if (this instanceof OptimisticTransactionDb) {
      options.requireForOptimistic();
    }
    try {
      NativeTransaction begun = NativeTransaction.begin(database(), writes.pointer(), its);
      if (options.writeOptions().leavesOutLog()) {
        begun.leaveOutLog();
      }
      return of(begun);
    } finally {
      Reference.reachabilityFence(writes);
    }
  }

  final Transaction of(NativeTransaction begun) {
    try {
      return new Transaction(this, source, path, begun);
    } catch (Throwable e) {
      begun.close();
      throw e;
    }
  }

  /**
   * Runs code in a transaction, commits that, and runs it again in another one if the transaction came in the way of
   * others; see {@link RetryPolicy}. An exception of the code's own rolls back, also what is prepared, and is thrown on.
   *
   * <p>The code may run several times, so what it does beside the transaction it may do several times: let it compute a
   * result, and act on that behind this call. It may end the transaction itself, which is taken as it is: where it has
   * committed that, it is not run again.
   *
   * @param <T> what it results in
   * @param <E> what it may throw
   * @param body gets the transaction, <em>borrowed until</em> it returns
   * @return what the body returned, in the run that was committed
   * @throws E what the body has thrown
   * @throws TransactionRetryException if it came in the way of others too often
   */
  public <T, E extends Exception> T callInTransaction(Body<T, E> body) throws E {
    return callInTransaction(RetryPolicy.defaults(), retried(), body);
  }

  /**
   * Runs code in a transaction, as {@link #callInTransaction(Body)} does.
   *
   * @param <T> what it results in
   * @param <E> what it may throw
   * @param policy how often to try, and how long to wait in between
   * @param options of the transaction
   * @param body gets the transaction, <em>borrowed until</em> it returns
   * @return what the body returned, in the run that was committed
   * @throws E what the body has thrown
   * @throws TransactionRetryException if it came in the way of others too often
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
          transaction.rollback(); // a close keeps it, with its locks and its name
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
   * @param <E> what it may throw
   * @param body gets the transaction, <em>borrowed until</em> it returns
   * @throws E what the body has thrown
   * @throws TransactionRetryException if it came in the way of others too often
   */
  public <E extends Exception> void inTransaction(Task<E> body) throws E {
    requireNonNull(body, "body");
    callInTransaction(transaction -> {
      body.run(transaction);
      return null;
    });
  }

  /**
   * Code that runs in a transaction, perhaps several times; see {@link TransactionalDb#callInTransaction}.
   *
   * @param <T> what it results in
   * @param <E> what it may throw; inferred as {@link RuntimeException} where it throws nothing else
   */
  @FunctionalInterface
  public interface Body<T, E extends Exception> {
    /**
     * Reads and writes.
     *
     * @param transaction <em>borrowed until</em> this returns
     * @return the result
     * @throws E for the caller of {@code callInTransaction}, after the transaction was rolled back
     */
    T run(Transaction transaction) throws E;
  }

  /**
   * Code without a result that runs in a transaction, perhaps several times; see {@link TransactionalDb#inTransaction}.
   *
   * @param <E> what it may throw; inferred as {@link RuntimeException} where it throws nothing else
   */
  @FunctionalInterface
  public interface Task<E extends Exception> {
    /**
     * Reads and writes.
     *
     * @param transaction <em>borrowed until</em> this returns
     * @throws E for the caller of {@code inTransaction}, after the transaction was rolled back
     */
    void run(Transaction transaction) throws E;
  }

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
}
