/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.call.Call;

/** Flushes and compacts an open database, and changes its options. */
public final class Maintenance {
  /** Shared and never freed. */
  private static final long EMPTY_SLICE = Slices.of(0, 0);

  private Maintenance() {}

  /**
   * Flushes the families, or the default one if null. Drops duplicates, because an atomic flush would crash with them.
   */
  public static void flush(long db, long options, long[] families) throws RocksDBException {
    long[] all =
        families == null ? new long[] {StubReader.family(db, 0)} : LongStream.of(families).distinct().toArray();
    try (Arena arena = Arena.ofConfined()) {
      Call call = Scratch.enter();
      try {
        rocksdb_flush_cfs(
            Scratch.wrap(call, 0, db), options, handles(all, arena).address(), all.length, Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
  }

  /** Creates the array of wrapped families for the C API. */
  static MemorySegment handles(long[] families, Arena arena) {
    MemorySegment wrappers = arena.allocate(2L * Long.BYTES * families.length, Long.BYTES);
    MemorySegment handles = arena.allocate(ValueLayout.JAVA_LONG, families.length);
    for (int i = 0; i < families.length; i++) {
      wrappers.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, families[i]);
      handles.setAtIndex(ValueLayout.JAVA_LONG, i, wrappers.address() + 2L * Long.BYTES * i);
    }
    return handles;
  }

  public static void syncLog(long db) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      rocksdb_flush_wal(Scratch.wrap(call, 0, db), true, Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  public static void setOptions(long db, long family, String[] names, String[] values) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      Call call = Scratch.enter();
      try {
        rocksdb_set_options_cf(
            Scratch.wrap(call, 0, db),
            Scratch.wrap(call, 2, StubReader.family(db, family)),
            names.length,
            Text.ofPaths(names, arena).address(),
            Text.ofPaths(values, arena).address(),
            Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
  }

  public static void setDatabaseOptions(long db, String[] names, String[] values) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      Call call = Scratch.enter();
      try {
        rocksdb_set_db_options(
            Scratch.wrap(call, 0, db),
            names.length,
            Text.ofPaths(names, arena).address(),
            Text.ofPaths(values, arena).address(),
            Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
  }

  /**
   * Suggests the whole range for compaction, as rocksdbjni does, and returns the bounds that rocksdbjni returns: empty
   * slices.
   */
  public static long[] suggestCompaction(long db, long family) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long nothing = call.key().address();
      rocksdb_suggest_compact_range_cf(
          Scratch.wrap(call, 0, db),
          Scratch.wrap(call, 2, StubReader.family(db, family)),
          nothing,
          0,
          nothing,
          0,
          Scratch.error(call));
      Scratch.check(call);
      return new long[] {EMPTY_SLICE, EMPTY_SLICE};
    } finally {
      call.exit();
    }
  }

  public static void enableAutoCompaction(long db, long[] families) throws RocksDBException {
    for (long family : families) {
      setOptions(db, family, new String[] {"disable_auto_compactions"}, new String[] {"false"});
    }
  }


  private static native void rocksdb_flush_cfs(long db, long options, long families, int count, long error);

  private static native void rocksdb_flush_wal(long db, boolean sync, long error);


  private static native void rocksdb_set_options_cf(
      long db, long family, int count, long names, long values, long error);

  private static native void rocksdb_set_db_options(long db, int count, long names, long values, long error);

  private static native void rocksdb_suggest_compact_range_cf(
      long db, long family, long begin, long beginSize, long end, long endSize, long error);
}
