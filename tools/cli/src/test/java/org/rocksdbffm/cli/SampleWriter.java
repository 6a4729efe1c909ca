/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyOrder;
import org.rocksdbffm.MergeOperator;
import org.rocksdbffm.RocksDb;

/**
 * Writes one database in two ways: 300 orders in tables, a newer row in the log, the family "back" in reverse order,
 * and
 * "sums" with merges.
 */
enum SampleWriter {
  CORE {
    @Override
    void write(Path folder, String walCompression) {
      Map<String, FamilyOptions> families = Map.of(
          "back",
          FamilyOptions.defaults().keyOrder(KeyOrder.REVERSE_BYTEWISE).option("write_buffer_size", "1234567"),
          "sums",
          FamilyOptions.defaults().mergeOperator(MergeOperator.uint64Add()));
      DatabaseOptions options = DatabaseOptions.defaults().option(COMPRESSION, walCompression);
      try (RocksDb db = RocksDb.at(folder).options(options).families(families).open()) {
        for (int i = 0; i < ROWS; i++) {
          db.put(key(i), value(i));
          db.family("back").put(new byte[] {(byte) i}, value(i));
          db.family("sums").merge(SUM, ONE);
        }
        db.flush();
        db.put(LAST_KEY, LAST_VALUE);
      }
    }
  },
  ROCKSDBJNI {
    @Override
    void write(Path folder, String walCompression) throws RocksDBException {
      RocksDB.loadLibrary();
      Properties properties = new Properties();
      properties.setProperty(COMPRESSION, walCompression);
      List<ColumnFamilyHandle> families = new ArrayList<>();
      try (ColumnFamilyOptions plain = new ColumnFamilyOptions();
          ColumnFamilyOptions back = new ColumnFamilyOptions()
              .setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR)
              .setWriteBufferSize(1234567);
          ColumnFamilyOptions sums = new ColumnFamilyOptions().setMergeOperatorName("uint64add");
          DBOptions options =
              DBOptions.getDBOptionsFromProps(properties).setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
          FlushOptions flush = new FlushOptions();
          RocksDB db = RocksDB.open(
              options,
              folder.toString(),
              List.of(
                  new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, plain),
                  new ColumnFamilyDescriptor("back".getBytes(UTF_8), back),
                  new ColumnFamilyDescriptor("sums".getBytes(UTF_8), sums)),
              families)) {
        for (int i = 0; i < ROWS; i++) {
          db.put(key(i), value(i));
          db.put(families.get(1), new byte[] {(byte) i}, value(i));
          db.merge(families.get(2), SUM, ONE);
        }
        db.flush(flush);
        db.put(LAST_KEY, LAST_VALUE);
        families.forEach(ColumnFamilyHandle::close);
      }
    }
  };

  static final int ROWS = 300;
  private static final String COMPRESSION = "wal_compression";

  private static final byte[] SUM = "n".getBytes(UTF_8);
  private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};
  private static final byte[] LAST_KEY = "zäh\t\\".getBytes(UTF_8);
  private static final byte[] LAST_VALUE = {-1, 0};

  abstract void write(Path folder, String walCompression) throws RocksDBException;

  final void write(Path folder) throws RocksDBException {
    write(folder, "kNoCompression");
  }

  private static byte[] key(int i) {
    return "order:%03d".formatted(i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    return ("v" + i).getBytes(UTF_8);
  }
}
