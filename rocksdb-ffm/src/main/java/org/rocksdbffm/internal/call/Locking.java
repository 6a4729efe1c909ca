/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

/** How the reads of a transaction lock the keys that they read. */
public enum Locking {
  /** Not at all: others may change them meanwhile. */
  NONE,
  /** Against writes: others may lock them in the same way. */
  TO_SHARE,
  /** Against all others that lock or write. */
  FOR_UPDATE
}
