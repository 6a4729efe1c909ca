/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The deletion of files, which older releases could start again however often it was stopped. */
public final class FileDeletions {
  private static final String ENABLED = "rocksdb.is-file-deletions-enabled";

  private FileDeletions() {}

  /** By force as often as it takes; otherwise once. */
  public static void enable(RocksDB database, boolean force) throws RocksDBException {
    do {
      database.enableFileDeletions();
    } while (force && database.getLongProperty(ENABLED) == 0);
  }
}
