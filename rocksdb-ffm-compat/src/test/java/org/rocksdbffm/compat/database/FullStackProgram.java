/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;

/** Opens databases where a stack ends, a little further from its end each time, and says who can be opened afterwards. */
final class FullStackProgram {
  private static final int ENOUGH = 3;
  private static final int SIZES = 6;
  private static final int SMALLEST = 800 << 10;
  private static final int FRAMES_APART = 8;

  private int opened;

  private FullStackProgram() {}

  private interface Opening {
    RocksDB open() throws RocksDBException;
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    Options options = new Options().setCreateIfMissing(true);
    DBOptions dbOptions = new DBOptions(options);
    TransactionDBOptions transactions = new TransactionDBOptions();
    List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    attempt("alone", () -> RocksDB.open(options, "alone"));
    attempt("with families", () -> RocksDB.open(dbOptions, "families", families, new java.util.ArrayList<>()));
    attempt("transactions", () -> TransactionDB.open(options, transactions, "transactions"));
    System.exit(0);
  }

  private static void attempt(String what, Opening opening) throws Exception {
    opening.open().close();
    FullStackProgram program = new FullStackProgram();
    for (int i = 0; i < SIZES; i++) {
      program.opened = 0;
      Thread thread = new Thread(null, () -> program.deeper(0, opening), what, SMALLEST + i * 4097L);
      thread.start();
      thread.join();
    }
    opening.open().close();
    System.out.println(what + " is opened again, as " + program.opened + " times where there was room");
  }

  /** Attempts on the way back from where the stack ends. */
  private void deeper(int depth, Opening opening) {
    try {
      deeper(depth + 1, opening);
    } catch (StackOverflowError e) {
      // From here on there is room, a little more in each frame.
    }
    if (opened < ENOUGH && depth % FRAMES_APART == 0) {
      try {
        opening.open().close();
        opened++;
      } catch (StackOverflowError e) {
        // As it may; but nothing may be left open.
      } catch (RocksDBException e) {
        throw new AssertionError(e);
      }
    }
  }
}
