/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.folder.StoredDatabase;

/** Finds what is left of a database that has lost its CURRENT file, which is not to be taken for an empty folder. */
final class LostCurrentCheck {
  private LostCurrentCheck() {}

  /**
   * Refuses to create a database where one has lost its CURRENT file: the engine would take the folder for an empty
   * one, at the second attempt at the latest, and delete what it finds there.
   */
  static void requireNone(long options, String path) throws RocksDBException {
    if (!rocksdb_options_get_create_if_missing(options)) {
      return; // then the engine creates nothing, and deletes nothing
    }
    String file = StoredDatabase.leftOver(Path.of(path));
    if (file != null) {
      throw Errors.of(
          Status.Code.Corruption,
          "the file CURRENT is missing in "
              + path
              + ", but there is "
              + file
              + ": put it back, it names the newest MANIFEST file in one line; or move the files away, or"
              + " RocksDB.destroyDB them, to begin anew");
    }
  }

  private static native boolean rocksdb_options_get_create_if_missing(long options);
}
