/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.util.Map;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NumberMark;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.settings.NativeOptions;

/** Changes options of an open database and its column families. */
public final class LiveOptions {
  private LiveOptions() {}

  /** Enables automatic compactions that {@link NativeOptions#holdCompactions} has disabled. */
  public static void letCompact(NativeFamily family) {
    setOptions(family, Map.of("disable_auto_compactions", "false"));
  }

  /** Changes options of an open column family. */
  public static void setOptions(NativeFamily family, Map<String, String> options) {
    family.database().requireWritable();
    synchronized (family.settings()) {
      LiveSettings.Change change = family.settings().check(options);
      if (options.isEmpty() || !change.forEngine().isEmpty()) {
        setInEngine(family, change.forEngine());
      }
      family.settings().take(change);
    }
  }

  private static void setInEngine(NativeFamily family, Map<String, String> options) {
    family.run((db, arena, error) ->
      RocksDbC.rocksdb_set_options_cf(
          db,
          family.pointer(),
          options.size(),
          Memory.strings(options.keySet(), arena),
          Memory.strings(options.values(), arena),
          error));
  }

  /** Changes database options of an open database. */
  public static void setDatabaseOptions(Database database, Map<String, String> options) {
    database.requireWritable();
    Map<String, String> checked = LiveSettings.checkDatabase(options);
    database.run((db, arena, error) -> {
      RocksDbC.rocksdb_set_db_options(
          db, checked.size(), Memory.strings(checked.keySet(), arena), Memory.strings(checked.values(), arena), error);
      NumberMark.write(database, false, error); // it may have flushed
    });
  }

}
