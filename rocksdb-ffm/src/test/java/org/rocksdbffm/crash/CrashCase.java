/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;

/** The base of crash cases: a folder, and databases with small and large rows. */
abstract class CrashCase {
  static final int LARGE = 6000;
  static final int ROWS = 200;
  static final int THREADS = 8;

  final Path folder;

  CrashCase(Path folder) {
    this.folder = folder;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] large(int fill) {
    byte[] value = new byte[LARGE];
    Arrays.fill(value, (byte) fill);
    return value;
  }

  static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  /** A database with small and large rows, all in files, and a family "other" with the same rows. */
  final RocksDb filled() {
    RocksDb db = RocksDb.open(folder);
    ColumnFamily other =
        db.families().size() > 1 ? db.family("other") : db.createFamily("other", FamilyOptions.defaults());
    for (int i = 0; i < ROWS; i++) {
      byte[] value = i % 2 == 0 ? bytes("small " + i) : large(i);
      db.put(bytes("key" + i), value);
      other.put(bytes("key" + i), value);
    }
    db.flush();
    other.flush();
    return db;
  }

  /** A step that a thread repeats until it throws because the database is closed. */
  interface Work {
    void run(RocksDb db, int round);
  }
}
