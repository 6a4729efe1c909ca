/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;

/** Flushes the memtables and the log of an open database. */
public final class Flushes {
  private Flushes() {}

  public static void flush(NativeFamily family, boolean wait, boolean allowWriteStall) {
    family.run((db, arena, error) -> {
      family.database().requireWritable();
      family.database().pauses().requireWork();
      withFlushOptions(wait, allowWriteStall, options ->
          RocksDbC.rocksdb_flush_cf(db, options, family.pointer(), error));
    });
  }

  /**
   * Flushes families together, without those that are closed, or being closed by another thread; the engine does so at
   * one moment if the database has {@code atomic_flush}.
   */
  public static void flush(Database database, List<NativeFamily> families, boolean wait, boolean allowWriteStall) {
    List<Call> using = new ArrayList<>();
    try {
      List<NativeFamily> open = families.stream().filter(family -> enterOpen(family, using)).toList();
      database.run((db, arena, error) -> {
        database.requireWritable();
        database.pauses().requireWork();
        MemorySegment pointers = arena.allocate(ValueLayout.ADDRESS, Math.max(1, open.size()));
        for (int i = 0; i < open.size(); i++) {
          pointers.setAtIndex(ValueLayout.ADDRESS, i, open.get(i).pointer());
        }
        withFlushOptions(wait, allowWriteStall, options ->
            RocksDbC.rocksdb_flush_cfs(db, options, pointers, open.size(), error));
      });
    } finally {
      using.forEach(Call::exit);
    }
  }

  private static boolean enterOpen(NativeFamily family, List<Call> using) {
    try {
      using.add(Call.enter(family.handle()));
      return true;
    } catch (IllegalStateException e) {
      if (family.handle().isClosed()) {
        return false;
      }
      throw e;
    }
  }

  private static void withFlushOptions(boolean wait, boolean allowWriteStall, Consumer<MemorySegment> flush) {
    MemorySegment options = RocksDbC.rocksdb_flushoptions_create();
    try {
      RocksDbC.rocksdb_flushoptions_set_wait(options, (byte) (wait ? 1 : 0));
      RocksDbC.rocksdb_flushoptions_set_allow_write_stall(options, (byte) (allowWriteStall ? 1 : 0));
      flush.accept(options);
    } finally {
      RocksDbC.rocksdb_flushoptions_destroy(options);
    }
  }

  public static void flushWal(Database database, boolean sync) {
    database.run((db, arena, error) -> {
      database.requireWritable();
      RocksDbC.rocksdb_flush_wal(db, (byte) (sync ? 1 : 0), error);
    });
  }
}
