/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.jni;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Prints which jar on its class path the classes come from, and that they work. */
public final class TwoJarsProgram {
  private TwoJarsProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, "db")) {
      db.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
      System.out.println("read: " + new String(db.get("key".getBytes(UTF_8)), UTF_8));
    }
    System.out.println("from: " + RocksDB.class.getProtectionDomain().getCodeSource().getLocation());
  }
}
