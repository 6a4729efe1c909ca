/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NumberMark;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.order.OrderState;

/** Manual compactions of key ranges. */
public final class Compactions {
  private Compactions() {}

  /** Compacts a range; null for an open end, and a target level of -1 for the engine's choice. */
  public static void compact(
      NativeFamily family,
      byte[] from,
      byte[] until,
      boolean exclusive,
      int bottommost,
      int level,
      int subcompactions) {
    Database database = family.database();
    database.requireWritable();
    requireLevel("targetLevel", family, level);
    database.requireOpen();
    database.pauses().requireWork();
    long stops = database.pauses().requireManualCompactions();
    family.run((db, arena, error) -> {
      long failuresBefore = failuresInBackground(database, arena);
      MemorySegment options =
          Memory.until(arena, RocksDbC::rocksdb_compactoptions_destroy, RocksDbC.rocksdb_compactoptions_create());
      RocksDbC.rocksdb_compactoptions_set_exclusive_manual_compaction(options, (byte) (exclusive ? 1 : 0));
      RocksDbC.rocksdb_compactoptions_set_bottommost_level_compaction(options, (byte) bottommost);
      if (level >= 0) {
        RocksDbC.rocksdb_compactoptions_set_change_level(options, (byte) 1);
        RocksDbC.rocksdb_compactoptions_set_target_level(options, level);
      }
      RocksDbC.rocksdb_compactoptions_set_target_path_id(options, family.lastPath());
      RocksDbC.rocksdb_compactoptions_set_max_subcompactions(options, subcompactions);
      OrderState.amongFiles(() ->
          RocksDbC.rocksdb_compact_range_cf_opt(
              db, family.pointer(), options, bytes(from, arena), length(from), bytes(until, arena), length(until)));
      NumberMark.write(database, false, error); // it may have flushed
      boolean hasFailed = failuresInBackground(database, arena) > failuresBefore;
      if (hasFailed && Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // writes are refused because of the failure
      }
      Status.check(error, family.handle().name());
      database.pauses().requireNotStopped(stops, family.handle().name());
      if (hasFailed) {
        Status.fail(
            "Operation aborted: something failed in the background during the compaction; the database's LOG says what",
            family.handle().name());
      }
    });
  }

  /**
   * Refuses a level that does not exist or cannot be chosen: the engine would silently leave the files in their level.
   */
  static void requireLevel(String parameter, NativeFamily family, int level) {
    int levels = family.settings().levels();
    if (level >= levels || level >= 0 && !family.settings().movesToLevels()) {
      throw new IllegalArgumentException(
          parameter + ": " + level + ", but " + family.handle()
              + (level >= levels ? " has levels 0 to " + (levels - 1) : " is compacted by kCompactionStyleFIFO, which has no other level"));
    }
  }

  /** A manual compaction does not report a failure, but the engine counts background errors. */
  private static long failuresInBackground(Database database, Arena arena) {
    return database.family(0).longProperty("rocksdb.background-errors", arena).orElse(0);
  }

  /** Copies a key to native memory; returns NULL for null. */
  static MemorySegment bytes(byte[] key, Arena arena) {
    if (key == null) {
      return MemorySegment.NULL;
    }
    // An empty key differs from no key, so it needs an address.
    MemorySegment copy = arena.allocate(Math.max(1, key.length));
    MemorySegment.copy(key, 0, copy, ValueLayout.JAVA_BYTE, 0, key.length);
    return copy;
  }

  static long length(byte[] key) {
    return key == null ? 0 : key.length;
  }
}
