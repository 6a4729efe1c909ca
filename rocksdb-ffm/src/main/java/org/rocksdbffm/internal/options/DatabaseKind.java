/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

/** The kinds of open databases, by what their writes respect. */
public enum DatabaseKind {
  /** Nothing: they are made in the order in which they come. */
  PLAIN,
  /** There are none. */
  FOR_READING,
  /** The locks that transactions hold, and each write takes. */
  LOCKING,
  /** The changes that transactions look for when they are committed. */
  OPTIMISTIC;

  /** Whether it writes nothing to its files. */
  public boolean isForReading() {
    return this == FOR_READING;
  }

  public boolean hasTransactions() {
    return this == LOCKING || this == OPTIMISTIC;
  }
}
