/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads a merge that lies in a table with options that have no operator for it. */
public final class ReadsMergesProgram {
  private ReadsMergesProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    byte[] key = {1};
    try (Options options = new Options().setCreateIfMissing(true).setMergeOperatorName("stringappend");
        FlushOptions flush = new FlushOptions();
        RocksDB db = RocksDB.open(options, "merged")) {
      db.merge(key, key);
      db.flush(flush);
    }
    try (RocksDB db = RocksDB.openReadOnly("merged")) {
      System.out.println(db.get(key).length);
    } catch (RocksDBException e) {
      System.out.println(e.getMessage());
    }
  }
}
