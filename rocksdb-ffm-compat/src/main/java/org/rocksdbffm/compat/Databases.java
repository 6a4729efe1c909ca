/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.internal.Call;

/** Opens, names and closes databases. */
public final class Databases {
  /** The engine tells a database's path to JNI alone. */
  private static final ConcurrentHashMap<Long, String> PATHS = new ConcurrentHashMap<>();

  private Databases() {}

  public static long open(long options, String path) throws RocksDBException {
    LeftOver.requireNone(options, path);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      return opened(rocksdb_open(options, Text.ofPath(path, arena).address(), error.address()), path, error);
    }
  }

  public static long openReadOnly(long options, String path, boolean failIfLogExists) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      long name = Text.ofPath(path, arena).address();
      return opened(rocksdb_open_for_read_only(options, name, failIfLogExists, error.address()), path, error);
    }
  }

  public static long openAsSecondary(long options, String path, String secondaryPath) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      long name = Text.ofPath(path, arena).address();
      long secondary = Text.ofPath(secondaryPath, arena).address();
      return opened(rocksdb_open_as_secondary(options, name, secondary, error.address()), path, error);
    }
  }

  public static long[] open(long options, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    return opened(path, names, options, familyOptions, (name, families, error) ->
        rocksdb_open_column_families(
            options, name, names.length, families.names(), families.options(), families.handles(), error));
  }

  public static long[] openReadOnly(
      long options, String path, byte[][] names, long[] familyOptions, boolean failIfLogExists)
      throws RocksDBException {
    return opened(path, names, options, familyOptions, (name, families, error) ->
        rocksdb_open_for_read_only_column_families(
            options,
            name,
            names.length,
            families.names(),
            families.options(),
            families.handles(),
            failIfLogExists,
            error));
  }

  public static long[] openAsSecondary(
      long options, String path, String secondaryPath, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      long secondary = Text.ofPath(secondaryPath, arena).address();
      return opened(path, names, options, familyOptions, (name, families, error) ->
          rocksdb_open_as_secondary_column_families(
              options,
              name,
              secondary,
              names.length,
              families.names(),
              families.options(),
              families.handles(),
              error));
    }
  }

  /** Opens a database with its families. */
  interface Opener {
    long open(long path, FamilyArrays families, long error);
  }

  /** What {@code org.rocksdb} wants of a database opened with its families: its pointer, and theirs behind it. */
  static long[] opened(String path, byte[][] names, long options, long[] familyOptions, Opener opener)
      throws RocksDBException {
    LeftOver.requireNone(options, path);
    try (Arena arena = Arena.ofConfined();
        FamilyArrays families = new FamilyArrays(names, options, familyOptions, arena)) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      long wrapper = opener.open(Text.ofPath(path, arena).address(), families, error.address());
      long[] pointers = new long[1 + names.length];
      pointers[0] = opened(wrapper, path, error);
      for (int i = 0; i < names.length; i++) {
        pointers[1 + i] = Wrappers.keep(families.handle(i));
      }
      return pointers;
    }
  }

  static long opened(long wrapper, String path, MemorySegment error) throws RocksDBException {
    if (error.get(ValueLayout.JAVA_LONG, 0) != 0) {
      throw Errors.take(error);
    }
    long db = Wrappers.keep(wrapper);
    PATHS.put(db, path);
    return db;
  }

  public static String name(long db) {
    return PATHS.get(db);
  }

  /**
   * The C API closes and destroys in one, and tells nothing. What the engine would say of snapshots that are still
   * held is said here.
   */
  public static void closeDatabase(long db) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      Call call = Scratch.enter();
      try {
        long property = Scratch.text(call, "rocksdb.num-snapshots");
        int unknown = rocksdb_property_int(Scratch.wrap(call, 0, db), property, count.address());
        if (unknown == 0 && count.get(ValueLayout.JAVA_LONG, 0) != 0) {
          throw Errors.of(Status.Code.Aborted, "Cannot close DB with unreleased snapshot.");
        }
      } finally {
        call.exit();
      }
    }
  }

  public static void dispose(long db) {
    PATHS.remove(db);
    rocksdb_close(Wrappers.take(db));
  }

  public static void destroy(String path, long options) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      rocksdb_destroy_db(options, Text.ofPath(path, arena).address(), error.address());
      if (error.get(ValueLayout.JAVA_LONG, 0) != 0) {
        throw Errors.take(error);
      }
    }
  }

  private static native long rocksdb_open(long options, long path, long error);

  private static native long rocksdb_open_for_read_only(
      long options, long path, boolean failIfLogExists, long error);

  private static native long rocksdb_open_as_secondary(long options, long path, long secondaryPath, long error);

  private static native long rocksdb_open_column_families(
      long options, long path, int count, long names, long familyOptions, long handles, long error);

  private static native long rocksdb_open_for_read_only_column_families(
      long options,
      long path,
      int count,
      long names,
      long familyOptions,
      long handles,
      boolean failIfLogExists,
      long error);

  private static native long rocksdb_open_as_secondary_column_families(
      long options,
      long path,
      long secondaryPath,
      int count,
      long names,
      long familyOptions,
      long handles,
      long error);

  private static native int rocksdb_property_int(long db, long name, long value);

  private static native void rocksdb_close(long db);

  private static native void rocksdb_destroy_db(long options, long path, long error);
}
