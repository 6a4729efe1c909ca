/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.lang.ref.Reference;
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
  public <T, E extends Exception> T transact(TransactionBody<T, E> body) throws E {
    return transact(RetryPolicy.defaults(), retried(), body);
  }

  /**
   * Runs code in a transaction, as {@link #transact(TransactionBody)} does.
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
  public <T, E extends Exception> T transact(RetryPolicy policy, TransactionOptions options, TransactionBody<T, E> body)
      throws E {
    requireNonNull(options, "options");
    requireNonNull(body, "body");
    RetryPolicy.Attempts attempts = requireNonNull(policy, "policy").begin();
    while (true) {
      Transaction transaction = begin(options);
      try (transaction) {
        T result = run(body, transaction);
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

  private static <T, E extends Exception> T run(TransactionBody<T, E> body, Transaction transaction) throws E {
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
   * Runs code without a result in a transaction, as {@link #transact(TransactionBody)} does.
   *
   * @param <E> what it may throw
   * @param body gets the transaction, <em>borrowed until</em> it returns
   * @throws E what the body has thrown
   * @throws TransactionRetryException if it came in the way of others too often
   */
  public <E extends Exception> void run(TransactionTask<E> body) throws E {
    requireNonNull(body, "body");
    transact(transaction -> {
      body.run(transaction);
      return null;
    });
  }
}
