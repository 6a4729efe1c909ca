/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's transactions with an engine. {@link #update} starts new transactions. Reads use one transaction that stays
 * open, and has written the first keys. Scans use a batch with an index, which has written the same keys.
 */
public interface TransactionLoop extends AutoCloseable {
  /** The number of keys that a transaction reads for update, and writes. */
  int KEYS = 3;

  /**
   * Runs transactions that read {@link #KEYS} keys for update, write them and commit; retries after conflicts. Returns
   * the number of transactions.
   */
  long update() throws Exception;

  /** Reads values into new arrays. */
  long get(Blackhole blackhole) throws Exception;

  /** Pins values. */
  default long pinned() {
    throw new UnsupportedOperationException("rocksdbjni copies what a transaction reads");
  }

  /** Reads all rows of the batch merged with the database. */
  long scan() throws Exception;

  @Override
  void close();
}
