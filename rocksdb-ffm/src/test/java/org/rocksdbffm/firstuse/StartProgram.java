/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.firstuse;

import java.nio.file.Path;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;

/** A program that makes the most common calls once: open, put, get, a scan of three rows, and close. */
final class StartProgram {
  private StartProgram() {}

  public static void main(String[] arguments) {
    int rows = 0;
    byte[] key = new byte[8];
    try (RocksDb db = RocksDb.open(Path.of("db"))) {
      for (byte i = 0; i < 3; i++) {
        key[0] = i;
        db.put(key, new byte[100]);
      }
      if (db.get(key).length != 100) {
        throw new AssertionError("another value");
      }
      try (Scan scan = db.scan(KeyRange.all())) {
        while (scan.next()) {
          rows++;
        }
      }
    }
    if (rows != 3) {
      throw new AssertionError(rows + " rows");
    }
  }
}
