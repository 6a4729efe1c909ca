/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.lifetime.Guard;
import org.rocksdbffm.compat.lifetime.UpstreamFields;
import org.rocksdbffm.compat.options.BoundedOptions;
import org.rocksdbffm.compat.options.FamilyArrays;
import org.rocksdbffm.compat.options.OptionPaths;
import org.rocksdbffm.compat.support.FamilyHandles;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.compat.support.Wrappers;
import org.rocksdbffm.internal.call.Call;

/**
 * Creates and drops column families. The C API truncates names at a NUL, so names with a NUL use the JNI entry points.
 */
public final class Families {
  /** Database options for C functions with full options where {@code org.rocksdb} has family options. */
  private static final long DATABASE_DEFAULTS = rocksdb_options_create();

  private Families() {}

  /**
   * Returns a descriptor with the paths set by the program, without the default path that the engine fills in: another
   * database created from the descriptor would write its files into this database's folder, with the same file numbers.
   */
  public static ColumnFamilyDescriptor descriptor(long family) throws RocksDBException {
    ColumnFamilyDescriptor descriptor = Java_org_rocksdb_ColumnFamilyHandle_getDescriptor(family);
    long options = descriptor.getOptions().getNativeHandle();
    int count = (int) Java_org_rocksdb_ColumnFamilyOptions_cfPathsLen(options);
    String[] folders = new String[count];
    long[] sizes = new long[count];
    Java_org_rocksdb_ColumnFamilyOptions_cfPaths(options, folders, sizes);
    boolean isCompleted = count == 1 && Files.exists(Path.of(folders[0], "CURRENT"));
    OptionPaths.set(
        OptionPaths.Owner.FAMILY,
        options,
        isCompleted ? new String[0] : folders,
        isCompleted ? new long[0] : sizes);
    return descriptor;
  }

  public static long create(long db, byte[] name, int length, long familyOptions) throws RocksDBException {
    if (Text.hasNul(name)) {
      try (BoundedOptions bounded = OpenFolders.ofFamily(db, DATABASE_DEFAULTS, familyOptions)) {
        return Java_org_rocksdb_RocksDB_createColumnFamily(db, name, length, bounded.family());
      }
    }
    return create(db, Arrays.copyOf(name, length), familyOptions, (call, options, text) ->
        rocksdb_create_column_family(Scratch.wrap(call, 0, db), options, text, Scratch.error(call)));
  }

  /** Creates a column family with a name and options, and returns the C API's wrapper. */
  interface Creator {
    long create(Call call, long options, long name);
  }

  static long create(long db, byte[] name, long familyOptions, Creator creator) throws RocksDBException {
    try (Arena arena = Arena.ofConfined();
        BoundedOptions bounded = OpenFolders.ofFamily(db, DATABASE_DEFAULTS, familyOptions);
        FamilyArrays family =
            new FamilyArrays(new byte[][] {name}, DATABASE_DEFAULTS, bounded.families(), arena)) {
      Call call = Scratch.enter();
      try {
        long handle = creator.create(call, family.option(0), family.name(0));
        Scratch.check(call);
        return Wrappers.keep(handle);
      } finally {
        call.exit();
      }
    }
  }

  public static long[] create(long db, long familyOptions, byte[][] names) throws RocksDBException {
    long[] options = new long[names.length];
    Arrays.fill(options, familyOptions);
    return create(db, options, names);
  }

  public static long[] create(long db, long[] familyOptions, byte[][] names) throws RocksDBException {
    long[] handles = new long[names.length];
    int made = 0;
    try {
      while (made < names.length) {
        handles[made] = create(db, names[made], names[made].length, familyOptions[made]);
        made++;
      }
    } catch (RocksDBException e) {
      Arrays.stream(handles, 0, made).forEach(Families::dispose);
      throw e;
    }
    return handles;
  }

  public static long createWithImport(
      long db, byte[] name, int length, long familyOptions, long importOptions, long[] metadata)
      throws RocksDBException {
    try (BoundedOptions bounded = OpenFolders.ofFamily(db, DATABASE_DEFAULTS, familyOptions)) {
      return Java_org_rocksdb_RocksDB_createColumnFamilyWithImport(
          db, name, length, bounded.family(), importOptions, metadata);
    }
  }

  public static void drop(long db, long[] families) throws RocksDBException {
    for (long family : families) {
      Call call = Scratch.enter();
      try {
        rocksdb_drop_column_family(Scratch.wrap(call, 0, db), Scratch.wrap(call, 2, family), Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
  }

  /** Whether the family has ID 0. The program's handle of the default family is not the engine's handle. */
  public static boolean isDefault(ColumnFamilyHandle family) {
    Guard guard = UpstreamFields.guard(family);
    Object used = null;
    try {
      used = Guard.use(guard, null);
      return FamilyHandles.number(guard.pointer()) == 0;
    } catch (IllegalStateException closed) {
      return guard.isBorrowed(); // the engine's handle, of a closed database
    } finally {
      Guard.leave(used);
    }
  }

  /** Destroys a handle. Destroys a handle with its wrapper; a handle from a JNI entry point has no wrapper. */
  public static void dispose(long family) {
    long wrapper = Wrappers.takeIfKept(family);
    if (wrapper != 0) {
      rocksdb_column_family_handle_destroy(wrapper);
    } else {
      Java_org_rocksdb_ColumnFamilyHandle_disposeInternalJni(family);
    }
  }

  private static native long rocksdb_options_create();

  private static native ColumnFamilyDescriptor Java_org_rocksdb_ColumnFamilyHandle_getDescriptor(long family)
      throws RocksDBException;

  private static native long Java_org_rocksdb_ColumnFamilyOptions_cfPathsLen(long options);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_cfPaths(
      long options, String[] folders, long[] sizes);

  private static native long Java_org_rocksdb_RocksDB_createColumnFamily(
      long db, byte[] name, int length, long familyOptions) throws RocksDBException;

  private static native long Java_org_rocksdb_RocksDB_createColumnFamilyWithImport(
      long db, byte[] name, int length, long familyOptions, long importOptions, long[] metadata)
      throws RocksDBException;

  private static native long rocksdb_create_column_family(long db, long options, long name, long error);

  private static native void rocksdb_drop_column_family(long db, long family, long error);

  private static native void rocksdb_column_family_handle_destroy(long family);

  private static native void Java_org_rocksdb_ColumnFamilyHandle_disposeInternalJni(long family);
}
