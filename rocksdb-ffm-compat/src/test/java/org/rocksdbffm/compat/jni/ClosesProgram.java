/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import java.nio.charset.StandardCharsets;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Closes a database with an unreleased snapshot, opens the database again, and prints the value that it reads. */
public final class ClosesProgram {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

  private ClosesProgram() {}

  public static void main(String[] arguments) throws Exception {
    try (Options options = new Options().setCreateIfMissing(true)) {
      RocksDB db = RocksDB.open(options, "db");
      db.put(KEY, KEY);
      db.getSnapshot();
      db.close();
      try (RocksDB again = RocksDB.open(options, "db")) {
        System.out.println("kept: " + new String(again.get(KEY), StandardCharsets.UTF_8));
      }
    }
  }
}
