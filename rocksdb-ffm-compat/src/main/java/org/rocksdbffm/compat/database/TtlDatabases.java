/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.options.BoundedOptions;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.internal.options.DatabaseKind;

/**
 * Opens databases with a time to live. Opening one for reading uses a JNI entry point, because the C API has no such
 * function.
 */
public final class TtlDatabases {
  private static final Set<Long> OPEN = ConcurrentHashMap.newKeySet();

  private TtlDatabases() {}

  /** Whether values end with a timestamp, which the engine does not remove in iterators opened together. */
  public static boolean isOpen(long db) {
    return !OPEN.isEmpty() && OPEN.contains(db);
  }

  /** Throws, because the engine would return the timestamp as a part of the value. */
  public static void refuseBatch(long batch, long db, long options, byte[] key, int length) {
    if (isOpen(db)) {
      throw new UnsupportedOperationException(
          "getFromBatchAndDB: the engine would show the value with its time; use newIteratorWithBase over the TtlDB");
    }
  }

  public static void refuseBatch(long batch, long db, long options, byte[] key, int length, long family) {
    refuseBatch(batch, db, options, key, length);
  }

  static void closed(long db) {
    if (!OPEN.isEmpty()) {
      OPEN.remove(db);
    }
  }

  public static long open(long options, String path, int seconds, boolean readOnly) throws RocksDBException {
    long db = openAlone(options, path, seconds, readOnly);
    OPEN.add(db);
    return db;
  }

  private static long openAlone(long options, String path, int seconds, boolean readOnly) throws RocksDBException {
    Stored.requireWhole(options, path);
    BoundedOptions bounded = BoundedOptions.of(readOnly ? DatabaseKind.FOR_READING : DatabaseKind.PLAIN, options);
    if (readOnly) {
      return OpenFolders.openForReading(
          path,
          bounded,
          () -> new long[] {
            Opened.alone(() -> Java_org_rocksdb_TtlDB_open(bounded.options(), path, seconds, true), Databases::dispose)
          })[0];
    }
    return OpenFolders.openAlone(
        path,
        bounded,
        () ->
            Databases.opened((arena, error) ->
                rocksdb_open_with_ttl(bounded.options(), Text.ofPath(path, arena).address(), seconds, error)));
  }

  public static long[] open(
      long options, String path, byte[][] names, long[] familyOptions, int[] seconds, boolean readOnly)
      throws RocksDBException {
    long[] pointers = openTogether(options, path, names, familyOptions, seconds, readOnly);
    OPEN.add(pointers[0]);
    return pointers;
  }

  private static long[] openTogether(
      long options, String path, byte[][] names, long[] familyOptions, int[] seconds, boolean readOnly)
      throws RocksDBException {
    Stored.requireWhole(options, path);
    if (readOnly) {
      BoundedOptions bounded = BoundedOptions.of(DatabaseKind.FOR_READING, options, familyOptions);
      return OpenFolders.openForReading(
          path,
          bounded,
          () ->
              Opened.withFamilies(
                  () ->
                      Java_org_rocksdb_TtlDB_openCF(
                          bounded.options(), path, names, bounded.families(), seconds, true),
                  Databases::dispose));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment times = arena.allocateFrom(ValueLayout.JAVA_INT, seconds);
      BoundedOptions bounded = BoundedOptions.of(DatabaseKind.PLAIN, options, familyOptions);
      return OpenFolders.open(
          path,
          bounded,
          () ->
              Databases.opened(path, names, bounded, (name, families, error) ->
                  rocksdb_open_column_families_with_ttl(
                      bounded.options(),
                      name,
                      names.length,
                      families.names(),
                      families.options(),
                      families.handles(),
                      times.address(),
                      error)));
    }
  }

  public static long createFamily(long db, byte[] name, long familyOptions, int seconds) throws RocksDBException {
    return Families.create(db, name, familyOptions, (call, options, text) ->
        rocksdb_create_column_family_with_ttl(
            Scratch.wrap(call, 0, db), options, text, seconds, Scratch.error(call)));
  }

  private static native long rocksdb_open_with_ttl(long options, long path, int seconds, long error);

  private static native long rocksdb_open_column_families_with_ttl(
      long options, long path, int count, long names, long familyOptions, long handles, long seconds, long error);

  private static native long rocksdb_create_column_family_with_ttl(
      long db, long options, long name, int seconds, long error);

  private static native long Java_org_rocksdb_TtlDB_open(long options, String path, int seconds, boolean readOnly)
      throws RocksDBException;

  private static native long[] Java_org_rocksdb_TtlDB_openCF(
      long options, String path, byte[][] names, long[] familyOptions, int[] seconds, boolean readOnly)
      throws RocksDBException;
}
