/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.lifetime.Closing;
import org.rocksdbffm.compat.options.BoundedOptions;
import org.rocksdbffm.compat.options.FamilyArrays;
import org.rocksdbffm.compat.options.OptionCopies;
import org.rocksdbffm.compat.options.OptionMemory;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.compat.support.Wrappers;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * Opens and closes databases. The C API truncates a column family's name at a NUL, so names with a NUL use the JNI
 * entry points.
 */
public final class Databases {
  private static final byte[] DEFAULT_FAMILY = "default".getBytes(StandardCharsets.UTF_8);

  private Databases() {}

  public static long open(long options, String path) throws RocksDBException {
    Stored.require(DatabaseKind.PLAIN, options, path);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.PLAIN, options);
    return OpenFolders.open(
        path, bounded, () -> Opened.withFamilies(() -> openPlain(bounded.options(), path), Databases::dispose))[0];
  }

  private static long[] openPlain(long options, String path) throws RocksDBException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      return new long[] {kept(rocksdb_open(options, Text.ofPath(path, arena).address(), error.address()), error)};
    }
  }

  /**
   * Opens the default column family explicitly. Without families, the engine may open a CompactedDBImpl, which does not
   * find values in blob files, and ends the process when it reads merge operands.
   */
  public static long openReadOnly(long options, String path, boolean failIfLogExists) throws RocksDBException {
    long familyOptions = Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptionsFromOptions(options);
    try {
      OptionMemory.copy(options, familyOptions);
      long[] pointers =
          openReadOnly(options, path, new byte[][] {DEFAULT_FAMILY}, new long[] {familyOptions}, failIfLogExists);
      Families.dispose(pointers[1]);
      return pointers[0];
    } finally {
      OptionCopies.disposeFamily(familyOptions);
    }
  }

  public static long openAsSecondary(long options, String path, String secondaryPath) throws RocksDBException {
    Stored.require(DatabaseKind.FOR_READING, options, path);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.FOR_READING, options);
    return OpenFolders.openForReading(
        path,
        bounded,
        () -> new long[] {
          opened((arena, error) ->
              rocksdb_open_as_secondary(
                  bounded.options(),
                      Text.ofPath(path, arena).address(),
                      Text.ofPath(secondaryPath, arena).address(),
                      error))
        })[0];
  }

  public static long[] open(long options, String path, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    Stored.require(DatabaseKind.PLAIN, options, path, names, familyOptions);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.PLAIN, options, familyOptions);
    return OpenFolders.open(
        path,
        bounded,
        () ->
            Text.hasNul(names)
                ? Opened.withFamilies(
                    () ->
                        Java_org_rocksdb_RocksDB_open__JLjava_lang_String_2_3_3B_3J(
                            bounded.options(), path, names, bounded.families()),
                    Databases::dispose)
                : opened(path, names, bounded, (name, families, error) ->
                    rocksdb_open_column_families(
                        bounded.options(),
                        name,
                        names.length,
                        families.names(),
                        families.options(),
                        families.handles(),
                        error)));
  }

  public static long[] openReadOnly(
      long options, String path, byte[][] names, long[] familyOptions, boolean failIfLogExists)
      throws RocksDBException {
    Stored.require(DatabaseKind.FOR_READING, options, path, names, familyOptions);
    BoundedOptions bounded = BoundedOptions.of(DatabaseKind.FOR_READING, options, familyOptions);
    return OpenFolders.openForReading(
        path,
        bounded,
        () ->
            Text.hasNul(names)
                ? Opened.withFamilies(
                    () ->
                        Java_org_rocksdb_RocksDB_openROnly__JLjava_lang_String_2_3_3B_3JZ(
                            bounded.options(), path, names, bounded.families(), failIfLogExists),
                    Databases::dispose)
                : opened(path, names, bounded, (name, families, error) ->
                    rocksdb_open_for_read_only_column_families(
                        bounded.options(),
                        name,
                        names.length,
                        families.names(),
                        families.options(),
                        families.handles(),
                        failIfLogExists,
                        error)));
  }

  public static long[] openAsSecondary(
      long options, String path, String secondaryPath, byte[][] names, long[] familyOptions)
      throws RocksDBException {
    Stored.require(DatabaseKind.FOR_READING, options, path, names, familyOptions);
    try (Arena arena = Arena.ofConfined()) {
      long secondary = Text.ofPath(secondaryPath, arena).address();
      BoundedOptions bounded = BoundedOptions.of(DatabaseKind.FOR_READING, options, familyOptions);
      long[] pointers =
          OpenFolders.openForReading(
              path,
              bounded,
              () ->
                  opened(path, names, bounded, (name, families, error) ->
                      rocksdb_open_as_secondary_column_families(
                          bounded.options(),
                          name,
                          secondary,
                          names.length,
                          families.names(),
                          families.options(),
                          families.handles(),
                          error)));
      Secondaries.opened(pointers[0]);
      return pointers;
    }
  }

  /** Opens a database with a function of the C API. */
  interface Opener {
    long open(Arena arena, long error);
  }

  /** Opens a database and its column families with a function of the C API. */
  interface FamilyOpener {
    long open(long path, FamilyArrays families, long error);
  }

  /** Returns the pointer of a database that a C function opens. */
  static long opened(Opener opener) throws RocksDBException {
    return Opened.alone(
        () -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
            return kept(opener.open(arena, error.address()), error);
          }
        },
        Databases::dispose);
  }

  /** Returns the pointers of a database and then of its column families. */
  static long[] opened(String path, byte[][] names, BoundedOptions options, FamilyOpener opener)
      throws RocksDBException {
    return Opened.withFamilies(
        () -> {
          try (Arena arena = Arena.ofConfined();
              FamilyArrays families = new FamilyArrays(names, options.options(), options.families(), arena)) {
            MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
            long[] pointers = new long[1 + names.length];
            pointers[0] = kept(opener.open(Text.ofPath(path, arena).address(), families, error.address()), error);
            for (int i = 0; i < names.length; i++) {
              pointers[1 + i] = Wrappers.keep(families.handle(i));
            }
            return pointers;
          }
        },
        Databases::dispose);
  }

  private static long kept(long wrapper, MemorySegment error) throws RocksDBException {
    if (error.get(ValueLayout.JAVA_LONG, 0) != 0) {
      throw Errors.take(error);
    }
    return Wrappers.keep(wrapper);
  }

  /** Closes a database. Destroys a database with its wrapper; a database from a JNI entry point has no wrapper. */
  public static void dispose(long db) {
    Secondaries.closed(db);
    TtlDatabases.closed(db);
    OpenFolders.Held held = OpenFolders.ofClosing(db);
    long wrapper = Wrappers.takeIfKept(db);
    Closing.ofDatabase("RocksDB", () -> {
      if (wrapper != 0) {
        rocksdb_close(wrapper);
      } else {
        Java_org_rocksdb_RocksDB_disposeInternalJni(db);
      }
    });
    OpenFolders.closed(held);
  }

  public static void destroy(String path, long options) throws RocksDBException {
    OpenFolders.replace(path, () -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
        rocksdb_destroy_db(options, Text.ofPath(path, arena).address(), error.address());
        if (error.get(ValueLayout.JAVA_LONG, 0) != 0) {
          throw Errors.take(error);
        }
        return null;
      }
    });
  }

  private static native long rocksdb_open(long options, long path, long error);

  private static native long Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptionsFromOptions(long options);

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

  private static native long[] Java_org_rocksdb_RocksDB_open__JLjava_lang_String_2_3_3B_3J(
      long options, String path, byte[][] names, long[] familyOptions) throws RocksDBException;

  private static native long[] Java_org_rocksdb_RocksDB_openROnly__JLjava_lang_String_2_3_3B_3JZ(
      long options, String path, byte[][] names, long[] familyOptions, boolean failIfLogExists)
      throws RocksDBException;

  private static native void rocksdb_close(long db);

  private static native void Java_org_rocksdb_RocksDB_disposeInternalJni(long db);

  private static native void rocksdb_destroy_db(long options, long path, long error);
}
