/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Enables file deletions with a parameter of older releases, which ends all nested disablings. */
public final class FileDeletions {
  private static final String ENABLED = "rocksdb.is-file-deletions-enabled";

  private FileDeletions() {}

  /** Enables file deletions. With {@code force}, ends all disablings; otherwise one. */
  public static void enable(RocksDB database, boolean force) throws RocksDBException {
    do {
      database.enableFileDeletions();
    } while (force && database.getLongProperty(ENABLED) == 0);
  }
}
