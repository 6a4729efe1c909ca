/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.internal.folder.StoredDatabase;

/** Finds files of a database without a CURRENT file, because its folder must not be handled like an empty one. */
final class LostCurrentCheck {
  private LostCurrentCheck() {}

  /**
   * Refuses to create a database in a folder with such files. The engine would create it, at the second attempt at the
   * latest, and delete the files.
   */
  static void requireNone(long options, String path) throws RocksDBException {
    if (!rocksdb_options_get_create_if_missing(options)) {
      return; // the engine creates and deletes nothing
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
