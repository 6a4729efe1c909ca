/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A thread's transactions by one engine. {@link #update} makes new ones; the reads are those of one that stays open, and
 * that has written the first keys; the scan is that of a batch with an index, which has written the same.
 */
public interface TransactionLoop extends AutoCloseable {
  /** How many keys a transaction reads for update, and writes. */
  int KEYS = 3;

  /**
   * Makes transactions that read {@link #KEYS} keys for update, write them and commit; again, where others came in the
   * way. Returns how many.
   */
  long update() throws Exception;

  /** Reads values into new arrays. */
  long get(Blackhole blackhole) throws Exception;

  /** Reads values where the engine has them. */
  default long pinned() {
    throw new UnsupportedOperationException("rocksdbjni copies what a transaction reads");
  }

  /** Reads all rows, the batch's above those of the database. */
  long scan() throws Exception;

  @Override
  void close();
}
