/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

/** How the reads of a transaction lock keys. */
public enum Locking {
  /** No lock: others may change the keys. */
  NONE,
  /** A shared lock, which excludes writes. */
  TO_SHARE,
  /** An exclusive lock. */
  FOR_UPDATE
}
