/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

/**
 * Code that runs in a transaction, perhaps several times; see {@link TransactionalDb#transact}.
 *
 * @param <T> what it results in
 * @param <E> what it may throw; inferred as {@link RuntimeException} where it throws nothing else
 */
@FunctionalInterface
public interface TransactionBody<T, E extends Exception> {
  /**
   * Reads and writes.
   *
   * @param transaction <em>borrowed until</em> this returns
   * @return the result
   * @throws E for the caller of {@code transact}, after the transaction was rolled back
   */
  T run(Transaction transaction) throws E;
}
