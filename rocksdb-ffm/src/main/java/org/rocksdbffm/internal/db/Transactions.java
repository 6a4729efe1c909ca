/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

/** The transactions of a database, as that has to know of them. */
public interface Transactions {
  /** Ends those that nobody uses and that are not prepared, because a close waits for calls that may wait for their locks. */
  void endIdle();

  /**
   * Rolls back those that touch a family which is being dropped. They could not be committed any more; and the engine,
   * when it ends one that has locked keys of a family that is gone, forgets to unlock the others.
   */
  void endOn(NativeFamily family, boolean wait);

  /** Refuses to drop a family where one has promised that it can be committed. */
  void requireNotPrepared(NativeFamily family);

  /**
   * Runs work that changes keys past all transactions: refuses to while there are any, for they would not notice, and has
   * those that are begun in that time wait.
   */
  void exclude(Runnable work);

  /** Closes all on behalf of the database. */
  void closeAll();
}
