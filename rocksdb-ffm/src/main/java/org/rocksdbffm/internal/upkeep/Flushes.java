/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Calls;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.db.NumberMark;
import org.rocksdbffm.internal.foreign.Memory;

/** Flushes the memtables and the WAL of an open database. */
public final class Flushes {
  private Flushes() {}

  public static void flush(NativeFamily family, boolean wait, boolean allowWriteStall) {
    family.run((db, arena, error) -> {
      family.database().requireWritable();
      family.database().pauses().requireWork();
      RocksDbC.rocksdb_flush_cf(db, options(wait, allowWriteStall, arena), family.pointer(), error);
      mark(family.database(), wait, error);
    });
  }

  /**
   * Flushes several families; skips families that are dropped or closed, also concurrently. With {@code atomic_flush},
   * the engine flushes them atomically.
   */
  public static void flush(Database database, List<NativeFamily> families, boolean wait, boolean allowWriteStall) {
    try (Calls using = new Calls()) {
      List<NativeFamily> open = families.stream().filter(family -> enterOpen(family, using)).toList();
      database.run((db, arena, error) -> {
        database.requireWritable();
        database.pauses().requireWork();
        flush(database, open, options(wait, allowWriteStall, arena), arena, error);
        mark(database, wait, error);
      });
    }
  }

  /**
   * Flushes all families for a copy, before the engine would, and writes the last sequence number to the WAL, so that
   * the copy has it. Ignores families that cannot be flushed: they were dropped, or the engine's flush reports the
   * failure.
   */
  public static void beforeCopy(Database database) {
    try (Calls using = new Calls()) {
      List<NativeFamily> open =
          database.families().stream().filter(family -> !family.writing().isClosed() && enterOpen(family, using)).toList();
      database.run((db, arena, error) -> {
        database.pauses().requireWork();
        MemorySegment failure = arena.allocate(ValueLayout.JAVA_LONG);
        flush(database, open, options(true, false, arena), arena, failure);
        if (Memory.pointer(failure, 0) == 0) {
          NumberMark.write(database, true, error);
        } else {
          Status.takeText(failure);
        }
      });
    }
  }

  /** The engine's flush ends at a family that was dropped; it is repeated without the families that were. */
  private static void flush(
      Database database, List<NativeFamily> open, MemorySegment options, Arena arena, MemorySegment error) {
    MemorySegment pointers = Memory.pointers(open.stream().map(NativeFamily::pointer).toList(), arena);
    RocksDbC.rocksdb_flush_cfs(database.pointer(), options, pointers, open.size(), error);
    List<NativeFamily> left = open.stream().filter(family -> !family.writing().isClosed()).toList();
    if (left.size() < open.size() && Status.isDropped(error)) {
      Status.takeText(error);
      flush(database, left, options, arena, error);
    }
  }

  private static void mark(Database database, boolean sync, MemorySegment error) {
    if (Memory.pointer(error, 0) == 0) {
      NumberMark.write(database, sync, error);
    }
  }

  private static boolean enterOpen(NativeFamily family, Calls using) {
    try {
      using.enter(family.handle());
      return true;
    } catch (IllegalStateException e) {
      if (family.handle().isClosed()) {
        return false;
      }
      throw e;
    }
  }

  private static MemorySegment options(boolean wait, boolean allowWriteStall, Arena arena) {
    MemorySegment options =
        Memory.until(arena, RocksDbC::rocksdb_flushoptions_destroy, RocksDbC.rocksdb_flushoptions_create());
    RocksDbC.rocksdb_flushoptions_set_wait(options, (byte) (wait ? 1 : 0));
    RocksDbC.rocksdb_flushoptions_set_allow_write_stall(options, (byte) (allowWriteStall ? 1 : 0));
    return options;
  }

  public static void flushWal(Database database, boolean sync) {
    database.run((db, arena, error) -> {
      database.requireWritable();
      RocksDbC.rocksdb_flush_wal(db, (byte) (sync ? 1 : 0), error);
    });
  }
}
