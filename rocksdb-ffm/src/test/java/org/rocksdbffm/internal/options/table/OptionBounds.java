/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options.table;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.Scan;
import org.rocksdbffm.internal.options.AnyOptions;
import org.rocksdbffm.tools.Sweeps;

/**
 * Uses databases with each option at a bound of its row in the table: set at the opening, and, for options that can be
 * changed, also while the database is open. Runs in a separate process, because the engine may end it.
 */
final class OptionBounds {
  private static final int ROWS = 150;
  private static final int FROM = 100;
  private static final int UNTIL = 120;
  /**
   * Options that need another option: otherwise the engine refuses them, or needs more resources than the machine has.
   */
  private static final Map<String, String> BESIDE =
      Map.of(
          "block_align", "compression=kNoCompression",
          "partition_filters", "block_based_table_factory.index_type=kTwoLevelIndexSearch",
          "compression_opts.zstd_max_train_bytes", "compression_opts.max_dict_bytes=16k",
          "blob_compression_opts.zstd_max_train_bytes", "enable_blob_files=true",
          "inplace_update_num_locks", "write_buffer_size=64k",
          "preclude_last_level_data_seconds", "compaction_style=kCompactionStyleUniversal",
          "preserve_internal_time_seconds", "compaction_style=kCompactionStyleUniversal",
          "write_buffer_size", "allow_fallocate=false"); // otherwise a WAL file preallocates this size

  private OptionBounds() {}

  public static void main(String[] arguments) throws Exception {
    int step = Sweeps.of(4, 1);
    int seen = 0;
    int tried = 0;
    List<String> wrong = new ArrayList<>();
    for (OptionRow row : rows()) {
      for (String value : row.type().bounds()) {
        if (row.isDefault(row.type().write(value))) {
          continue; // all other tests use the default
        }
        if (seen++ % step != 0) {
          continue;
        }
        try {
          attempt(row, value);
        } catch (RuntimeException | AssertionError e) {
          wrong.add(row.name() + "=" + value + ": " + e);
        }
        tried++;
      }
    }
    System.out.println(tried + " bounds");
    wrong.forEach(System.out::println);
    System.exit(wrong.isEmpty() ? 0 : 1);
  }

  static List<OptionRow> rows() {
    List<OptionRow> rows = new ArrayList<>();
    for (String scope : List.of("db", "cf", "table")) {
      for (String name : OptionTable.names(scope)) {
        OptionRow row = OptionTable.find(scope, name);
        rows.add(row);
        if (!row.type().parts().isEmpty()) {
          OptionTable.names(row.type().parts()).forEach(part -> rows.add(row.part(part)));
        }
      }
    }
    rows.removeIf(row -> row.isUnsupported() || row.name().startsWith("block_based_table_factory"));
    // which openings say
    rows.removeIf(row -> row.name().startsWith("create_") || row.name().equals("error_if_exists"));
    rows.removeIf(row -> row.name().equals("comparator")); // needs rows in the opposite order
    return rows;
  }

  private static void attempt(OptionRow row, String value) throws Exception {
    String name = row.scope().equals("table") ? "block_based_table_factory." + row.name() : row.name();
    System.out.println(name + "=" + value);
    AnyOptions base = AnyOptions.NONE.with(BESIDE.getOrDefault(row.name(), ""));
    AnyOptions options = base.with(name, value);
    Path folder = Files.createTempDirectory(Path.of("."), "db");
    try {
      try (RocksDb db = (row.isLive() ? base : options).at(folder).open()) {
        if (row.isLive()) {
          change(db, row, Map.of(name, value));
        }
        fill(db);
        check(db);
      }
      try (RocksDb db = options.at(folder).mustExist().open()) {
        check(db);
        fill(db);
        check(db);
      }
    } catch (RocksDbException | IllegalArgumentException refused) {
      requireNamed(row, refused);
    } finally {
      RocksDb.destroy(folder);
    }
  }

  /**
   * Changes an option; ignores a refusal because of another option's default, because the opening tests such options.
   */
  private static void change(RocksDb db, OptionRow row, Map<String, String> change) {
    try {
      if (row.scope().equals("db")) {
        db.setDatabaseOptions(change);
      } else {
        db.setOptions(change);
      }
    } catch (RocksDbException | IllegalArgumentException refused) {
      requireNamed(row, refused);
    }
  }

  private static void requireNamed(OptionRow row, RuntimeException refused) {
    System.out.println("  " + refused.getMessage());
    boolean ofDictionaries =
        row.name().endsWith(".zstd_max_train_bytes") && refused.getMessage().contains("max_dict_bytes");
    if (!refused.getMessage().contains(row.name()) && !ofDictionaries) {
      throw refused;
    }
  }

  private static void fill(RocksDb db) {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < ROWS; i++) {
        db.put(key(i), value(i));
      }
      db.flush();
    }
    db.compact(KeyRange.all());
    for (int i = 0; i < ROWS; i++) {
      if (isDeleted(i)) {
        db.delete(key(i));
      } else if (i % 3 == 0) {
        db.put(key(i), value(i));
      }
    }
    db.deleteRange(key(FROM), key(UNTIL));
  }

  /** Returns whether a row is deleted: some rows singly, between rows that are only in tables, and some as a range. */
  private static boolean isDeleted(int i) {
    return i > 20 && i < 80 && i % 4 > 0 || i >= FROM && i < UNTIL;
  }

  /** Checks all rows, also after scans that may not return all rows. */
  private static void check(RocksDb db) {
    for (ReadOptions.Tier tier : ReadOptions.Tier.values()) {
      try (Scan scan = db.with(ReadOptions.defaults().tier(tier)).scan(KeyRange.all())) {
        while (scan.next()) {
          require(scan.key().byteSize() > 0, "key");
        }
      } catch (RocksDbException notInMemory) {
        require(tier != ReadOptions.Tier.ALL, "scan: " + notInMemory);
      }
    }
    for (int i = 0; i < ROWS; i++) {
      require(Arrays.equals(isDeleted(i) ? null : value(i), db.get(key(i))), "get of row " + i);
    }
    int found = 0;
    try (Scan scan = db.scan(KeyRange.all())) {
      while (scan.next()) {
        while (isDeleted(found)) {
          found++;
        }
        require(Arrays.equals(value(found), scan.value().toArray(ValueLayout.JAVA_BYTE)), "scan of row " + found);
        found++;
      }
    }
    require(found == ROWS, "scan up to row " + found);
  }

  private static byte[] key(int i) {
    return String.format("key%06d", i).getBytes();
  }

  private static byte[] value(int i) {
    byte[] value = new byte[100 + i % 50];
    new Random(i).nextBytes(value);
    Arrays.fill(value, 20, 60, (byte) i);
    return value;
  }

  private static void require(boolean right, String what) {
    if (!right) {
      throw new AssertionError("wrong: " + what);
    }
  }
}
