/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Code without a result that runs in a transaction, perhaps several times; see {@link TransactionalDb#run}.
 *
 * @param <E> what it may throw; inferred as {@link RuntimeException} where it throws nothing else
 */
@FunctionalInterface
public interface TransactionTask<E extends Exception> {
  /**
   * Reads and writes.
   *
   * @param transaction <em>borrowed until</em> this returns
   * @throws E for the caller of {@code run}, after the transaction was rolled back
   */
  void run(Transaction transaction) throws E;
}
