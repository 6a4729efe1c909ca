/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.compiled;

import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** A program that makes the most common calls once: open, put, get, an iteration over three rows, and close. */
final class StartProgram {
  private StartProgram() {}

  public static void main(String[] arguments) throws RocksDBException {
    RocksDB.loadLibrary();
    int rows = 0;
    byte[] key = new byte[8];
    try (Options options = new Options().setCreateIfMissing(true); RocksDB db = RocksDB.open(options, "db")) {
      for (byte i = 0; i < 3; i++) {
        key[0] = i;
        db.put(key, new byte[100]);
      }
      if (db.get(key).length != 100) {
        throw new AssertionError("another value");
      }
      try (RocksIterator iterator = db.newIterator()) {
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
          rows++;
        }
      }
    }
    if (rows != 3) {
      throw new AssertionError(rows + " rows");
    }
  }
}
