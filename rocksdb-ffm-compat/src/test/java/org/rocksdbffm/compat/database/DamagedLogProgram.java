/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Changes a byte in the middle of a WAL file, and opens the database for reading and for writing. */
public final class DamagedLogProgram {
  private static final int ROWS = 100;

  private DamagedLogProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true)) {
      try (RocksDB db = RocksDB.open(options, "db")) {
        for (int i = 0; i < ROWS; i++) {
          db.put(("row " + i).getBytes(), new byte[50]);
        }
      }
      damage(Path.of("db"));
      read(() -> RocksDB.openReadOnly(options, "db"));
      read(() -> RocksDB.open(options, "db"));
    }
  }

  private static void damage(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Path log = files.filter(file -> file.toString().endsWith(".log")).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(log);
      bytes[bytes.length / 2] ^= 1;
      Files.write(log, bytes);
    }
  }

  private interface Opening {
    RocksDB open() throws RocksDBException;
  }

  private static void read(Opening opening) {
    try (RocksDB db = opening.open();
        RocksIterator rows = db.newIterator()) {
      int count = 0;
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        count++;
      }
      System.out.println("has " + (count > ROWS / 3 && count < 2 * ROWS / 3 ? "half" : count));
    } catch (RocksDBException e) {
      System.out.println("refused: " + e.getStatus().getCode() + " " + e.getMessage());
    }
  }
}
