/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.List;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads merge operands from an SST file, in every way, with options without a merge operator. */
public final class ReadsMergesProgram {
  private static final byte[] MERGED = {1};
  private static final byte[] PLAIN = {2};

  private ReadsMergesProgram() {}

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    try (Options options = new Options().setCreateIfMissing(true).setMergeOperatorName("stringappend");
        FlushOptions flush = new FlushOptions();
        RocksDB db = RocksDB.open(options, "merged")) {
      db.merge(MERGED, MERGED);
      db.put(PLAIN, PLAIN);
      db.flush(flush);
    }
    try (Options options = new Options().setMaxOpenFiles(-1)) {
      read(() -> RocksDB.openReadOnly("merged"), false);
      read(() -> RocksDB.openAsSecondary(options, "merged", "secondary"), false);
      read(() -> RocksDB.open(options, "merged"), true);
    }
  }

  private interface Opening {
    RocksDB open() throws RocksDBException;
  }

  private interface Reading {
    Object read() throws RocksDBException;
  }

  private static void read(Opening opening, boolean writes) {
    try (RocksDB db = opening.open()) {
      say("get", () -> db.get(MERGED));
      say("keys", () -> db.multiGetAsList(List.of(MERGED, PLAIN)));
      try (RocksIterator rows = db.newIterator()) {
        say("rows", () -> {
          rows.seekToFirst();
          rows.status();
          return rows.isValid();
        });
      }
      say("may exist", () -> db.keyMayExist(MERGED, null));
      say(writes ? "compaction" : "get", () -> {
        if (writes) {
          db.compactRange();
        }
        return db.get(MERGED);
      });
      say("plain row", () -> db.get(PLAIN).length);
    } catch (RocksDBException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void say(String what, Reading reading) {
    try {
      System.out.println(what + ": " + reading.read());
    } catch (RocksDBException e) {
      System.out.println(what + ": " + e.getMessage());
    }
  }
}
