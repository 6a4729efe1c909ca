/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/**
 * Writes a database with an old engine and snappy compression; runs with the old engine's jar instead of the current
 * one.
 */
final class OldEngineWriter {
  static final String VERSION = "6.29.5";
  static final int ROWS = 1000;

  private OldEngineWriter() {}

  static String value(int row) {
    return ("value of row " + row + ", which compresses well; ").repeat(20);
  }

  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (Options options =
        new Options().setCreateIfMissing(true).setCompressionType(CompressionType.SNAPPY_COMPRESSION);
        RocksDB db = RocksDB.open(options, arguments[0])) {
      ColumnFamilyHandle other = db.createColumnFamily(new ColumnFamilyDescriptor("other".getBytes()));
      handles.add(other);
      for (int i = 0; i < ROWS; i++) {
        db.put(("key" + i).getBytes(), value(i).getBytes());
      }
      try (FlushOptions flush = new FlushOptions()) {
        db.flush(flush);
      }
      db.put(other, "key".getBytes(), "of a family".getBytes());
      db.put("last".getBytes(), "in the log".getBytes());
      handles.forEach(ColumnFamilyHandle::close);
    }
    System.out.println("written by " + RocksDB.class.getMethod("rocksdbVersion").invoke(null));
  }
}
