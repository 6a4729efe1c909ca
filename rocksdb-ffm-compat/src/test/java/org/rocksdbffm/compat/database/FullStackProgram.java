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

/**
 * Opens databases near the end of a stack, with gradually more stack left, and prints which databases can be opened
 * afterwards.
 */
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

  /** Tries to open at decreasing depths, starting where the stack overflows. */
  private void deeper(int depth, Opening opening) {
    try {
      deeper(depth + 1, opening);
    } catch (StackOverflowError e) {
      // Each return leaves a little more stack.
    }
    if (opened < ENOUGH && depth % FRAMES_APART == 0) {
      try {
        opening.open().close();
        opened++;
      } catch (StackOverflowError e) {
        // Allowed; but no database may stay open.
      } catch (RocksDBException e) {
        throw new AssertionError(e);
      }
    }
  }
}
