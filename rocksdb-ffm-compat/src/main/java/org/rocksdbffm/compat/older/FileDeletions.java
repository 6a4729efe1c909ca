/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Enables file deletions like the method of older rocksdbjni releases that has a parameter {@code force}. */
public final class FileDeletions {
  private static final String ENABLED = "rocksdb.is-file-deletions-enabled";

  private FileDeletions() {}

  /** Undoes one disabling of file deletions, or with {@code force} all of them. */
  public static void enable(RocksDB database, boolean force) throws RocksDBException {
    do {
      database.enableFileDeletions();
    } while (force && database.getLongProperty(ENABLED) == 0);
  }
}
