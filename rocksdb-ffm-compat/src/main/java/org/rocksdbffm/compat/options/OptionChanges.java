/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Mode;
import org.rocksdbffm.compat.support.Settings;
import org.rocksdbffm.compat.support.Unchecked;
import org.rocksdbffm.internal.options.CheckedSettings;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.options.OptionSettings;
import org.rocksdbffm.internal.options.table.OptionTable;

/** Checks changes of an open database's options. */
public final class OptionChanges {
  /** Options that make writes wait forever in some combinations. */
  private static final Set<String> TOGETHER =
      Set.of(
          "disable_auto_compactions",
          "level0_file_num_compaction_trigger",
          "level0_slowdown_writes_trigger",
          "level0_stop_writes_trigger",
          "max_write_buffer_number",
          "min_write_buffer_number_to_merge");

  private OptionChanges() {}

  public static void ofDatabase(long db, String[] names, String[] values) {
    judge(OptionTable.DATABASE, changes(names, values));
  }

  /** Checks changes of a column family's options. A family of 0 represents the default one. */
  public static void ofFamily(long db, long family, String[] names, String[] values) throws RocksDBException {
    Map<String, String> changes = changes(names, values);
    Map<String, String> before = Collections.disjoint(TOGETHER, changes.keySet()) ? Map.of() : now(db, family);
    Map<String, String> after = new LinkedHashMap<>(before);
    after.putAll(changes);
    judge(OptionTable.FAMILY, after);
    changes.keySet().removeIf(name -> !TOGETHER.contains(name) || Unchecked.lets(name));
    if (Mode.isStrict() && !changes.isEmpty()) {
      new LiveSettings(new CheckedSettings(before, Map.of()), OptionSettings.Beside.NOTHING).check(changes);
    }
  }

  private static Map<String, String> changes(String[] names, String[] values) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      changes.put(names[i], values[i]);
    }
    return changes;
  }

  private static void judge(String scope, Map<String, String> all) {
    all.forEach((name, value) -> {
      Settings.requireNow(scope, name, value, all);
      Settings.parts(scope, name, value, (partScope, part, text) -> Settings.requireNow(partScope, part, text, all));
    });
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
