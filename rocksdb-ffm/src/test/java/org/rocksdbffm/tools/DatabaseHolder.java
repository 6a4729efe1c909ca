/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdbffm.RocksDb;

/**
 * Opens a database in a separate JVM, prints a line, and keeps the database open until the process is killed or its
 * input ends.
 */
public final class DatabaseHolder {
  private DatabaseHolder() {}

  public static void main(String[] arguments) throws Exception {
    try (RocksDb db = RocksDb.open(Path.of(arguments[0]))) {
      Files.createFile(Path.of(arguments[1]));
      while (System.in.read() >= 0) {
        db.files().latestSequenceNumber();
      }
    }
  }
}
