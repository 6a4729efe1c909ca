/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

/** The transactions of a database, as the database itself uses them. */
public interface Transactions {
  /** Ends idle, unprepared transactions, because a close waits for calls that may wait for their locks. */
  void endIdle();

  /**
   * Rolls back the transactions that touch a family which is being dropped. They could not be committed; and when
   * RocksDB ends a transaction that has locked keys of a dropped family, it does not release its other locks. {@code
   * wait}: also transactions that are in use.
   */
  void endOn(NativeFamily family, boolean wait);

  /** Throws if a prepared transaction touches the family, which is to be dropped. */
  void requireNotPrepared(NativeFamily family);

  /**
   * Runs work that changes keys without locks. Throws if there are open transactions, which would not notice a conflict
   * with the work; new transactions wait until the work is done.
   */
  void exclude(Runnable work);

  /** Closes all transactions because the database is being closed. */
  void closeAll();
}
