/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jcstress;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.CompactionFilter.Decision;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyComparator;
import org.rocksdbffm.MergeFunction;
import org.rocksdbffm.RocksDb;

/** Databases with Java callbacks, one for each race. */
final class CalledBack {
  static final byte[] KEY = {2};
  static final byte[] VALUE = "value".getBytes(US_ASCII);
  static final byte[] CHANGED = "changed".getBytes(US_ASCII);
  static final int ROWS = 4;

  // No periodic tasks, and no files that a race does not need.
  private static final DatabaseOptions SMALL =
      DatabaseOptions.defaults()
          .option("stats_dump_period_sec", 0)
          .option("stats_persist_period_sec", 0)
          .option("info_log_level", "FATAL_LEVEL");

  private static final Path MERGED = filled(options((a, b) -> a.compareTo(b), (key, value, operands) -> null));

  private CalledBack() {}

  private static FamilyOptions options(KeyComparator order, MergeFunction merge) {
    return FamilyOptions.defaults()
        .writeBufferSize(ByteSize.kib(64))
        .keyOrder("order in Java", order)
        .mergeOperator("merge in Java", merge);
  }

  private static Path filled(FamilyOptions options) {
    Path folder = RacedDatabases.newFolder();
    try (RocksDb db = RocksDb.at(folder).options(SMALL).defaults(options).open()) {
      for (int i = 0; i < ROWS; i++) {
        db.merge(new byte[] {(byte) i}, VALUE);
      }
    }
    return folder;
  }

  /** Opens the shared rows read-only, with separate callbacks. A value is one merge operand. */
  static RocksDb open(KeyComparator order, MergeFunction merge) {
    return RocksDb.at(MERGED).options(SMALL).defaults(options(order, merge)).openReadOnly();
  }

  /**
   * Opens a new database with rows in one table and in the memtable. The next flush starts a compaction, which calls
   * the filter.
   */
  static RocksDb open(Path folder, CompactionFilter filter) {
    RocksDb db =
        RocksDb.at(folder)
            .options(SMALL)
            .defaults(
                FamilyOptions.defaults()
                    .writeBufferSize(ByteSize.kib(64))
                    .level0FileNumCompactionTrigger(2)
                    .compactionFilter("filter in Java", any -> filter))
            .open();
    write(db);
    db.flush();
    write(db);
    return db;
  }

  private static void write(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      db.put(new byte[] {(byte) i}, VALUE);
    }
  }

  static Decision change() {
    return Decision.change(CHANGED);
  }

  /** Whether each row exists, unchanged or changed by the filter. */
  static boolean isWhole(Path folder) {
    try (RocksDb db = RocksDb.at(folder).openReadOnly()) {
      for (int i = 0; i < ROWS; i++) {
        byte[] value = db.get(new byte[] {(byte) i});
        if (!Arrays.equals(value, VALUE) && !Arrays.equals(value, CHANGED)) {
          return false;
        }
      }
      return true;
    }
  }
}
