/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.forgotten;

import java.util.Collections;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.UInt64AddOperator;
import org.rocksdbffm.compat.lifetime.OpenObjects;

/** Leaves unclosed the objects that RocksDB's examples leave unclosed, and an iterator, and prints the log messages. */
final class IdiomsProgram {
  private static final Logger LOGGER = Logger.getLogger("org.rocksdbffm");

  private static final Set<String> FORGOTTEN = Set.of("FlushOptions", "RocksIterator", "Slice");

  private IdiomsProgram() {}

  public static void main(String[] arguments) throws RocksDBException {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(new Printer());
    try (Options options = new Options().setCreateIfMissing(true)) {
      options.setMergeOperator(new UInt64AddOperator());
      options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter()));
      try (RocksDB db = RocksDB.open(options, "db")) {
        useByIdioms(db);
        forget(db);
        while (!Collections.disjoint(OpenObjects.counts().keySet(), FORGOTTEN)) {
          System.gc();
        }
      }
    }
    System.out.println("all is reclaimed");
  }

  private static void useByIdioms(RocksDB db) throws RocksDBException {
    db.flush(new FlushOptions());
    db.get(new ReadOptions().setIterateUpperBound(new Slice("z")), new byte[] {1});
    try (ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(new byte[] {2}))) {
      db.put(family, new byte[] {1}, new byte[] {1});
    }
  }

  private static void forget(RocksDB db) {
    RocksIterator rows = db.newIterator();
    rows.seekToFirst();
  }

  private static final class Printer extends Handler {
    @Override
    public void publish(LogRecord logged) {
      String line = logged.getLevel() + " " + logged.getLoggerName() + " " + logged.getMessage();
      if (logged.getThrown() != null) {
        StackTraceElement[] stack = logged.getThrown().getStackTrace();
        line += " | " + logged.getThrown().getMessage() + " | " + frame(stack[0]) + " | " + frame(stack[1]);
      }
      System.out.println(line);
    }

    private static String frame(StackTraceElement frame) {
      return frame.getClassName() + "." + frame.getMethodName();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
