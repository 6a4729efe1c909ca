/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

/** The kinds of open databases, by their concurrency control. */
public enum DatabaseKind {
  /** No transactions: writes are applied in the order of their calls. */
  PLAIN,
  /** Read-only: there are no writes. */
  FOR_READING,
  /** Pessimistic transactions: each write locks its keys. */
  LOCKING,
  /** Optimistic transactions: a commit checks for conflicting writes. */
  OPTIMISTIC;

  /** Whether the database is opened read-only. */
  public boolean isForReading() {
    return this == FOR_READING;
  }

  public boolean hasTransactions() {
    return this == LOCKING || this == OPTIMISTIC;
  }
}
