/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Unchecked;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.options.OptionSettings;
import org.rocksdbffm.internal.options.table.OptionRow;
import org.rocksdbffm.internal.options.table.OptionTable;

/** Checks options that are changed while a database is open, and writes them down as the engine is to read them. */
public final class OptionChanges {
  /** Those that make writes wait for what does not come, where they do not fit together. */
  private static final Set<String> TOGETHER =
      Set.of(
          "level0_file_num_compaction_trigger",
          "level0_slowdown_writes_trigger",
          "level0_stop_writes_trigger",
          "max_write_buffer_number",
          "min_write_buffer_number_to_merge");

  private OptionChanges() {}

  public static void ofDatabase(long db, String[] names, String[] values) {
    check(OptionTable.DATABASE, names, values);
  }

  /** A family of 0 is the one without a name. */
  public static void ofFamily(long db, long family, String[] names, String[] values) throws RocksDBException {
    check(OptionTable.FAMILY, names, values);
    Map<String, String> changes = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      if (TOGETHER.contains(names[i]) && !Unchecked.lets(names[i], values[i])) {
        changes.put(names[i], values[i]);
      }
    }
    if (!changes.isEmpty()) {
      new LiveSettings(new CheckedSettings(now(db, family), Map.of()), OptionSettings.Beside.NOTHING).check(changes);
    }
  }

  /** A name that the table does not have is the engine's to refuse. */
  private static void check(String scope, String[] names, String[] values) {
    for (int i = 0; i < names.length; i++) {
      OptionRow row = OptionTable.find(scope, names[i]);
      if (row != null && !Unchecked.lets(names[i], values[i])) {
        try {
          values[i] = row.require(values[i]);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(e.getMessage() + Unchecked.hint(names[i]), e);
        }
      }
    }
  }

  private static Map<String, String> now(long db, long family) throws RocksDBException {
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : Java_org_rocksdb_RocksDB_getOptions(db, family).split(";")) {
      int equals = option.indexOf('=');
      if (equals > 0 && TOGETHER.contains(option.substring(0, equals).strip())) {
        options.put(option.substring(0, equals).strip(), option.substring(equals + 1).strip());
      }
    }
    return options;
  }

  private static native String Java_org_rocksdb_RocksDB_getOptions(long db, long family) throws RocksDBException;
}
