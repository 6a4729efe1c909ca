/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.internal.Call;
import org.rocksdbffm.internal.Memory;

/** Lists, makes, names and drops column families. */
public final class Families {
  /** For what takes all options where {@code org.rocksdb} has those of a family. */
  private static final long DATABASE_DEFAULTS = rocksdb_options_create();

  private Families() {}

  public static byte[] name(long family) {
    Call call = Scratch.enter();
    try {
      long name = rocksdb_column_family_handle_get_name(Scratch.wrap(call, 0, family), call.sizeCell.address());
      try {
        return Memory.toArray(name, call.sizeCell.get(ValueLayout.JAVA_LONG, 0));
      } finally {
        rocksdb_free(name);
      }
    } finally {
      call.exit();
    }
  }

  /**
   * None where there is no database, or none that can be read: upstream drops the error, and programs ask this first to
   * learn whether there is something to open.
   */
  public static byte[][] list(long options, String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      long list = rocksdb_list_column_families(
          options, Text.ofPath(path, arena).address(), count.address(), error.address());
      rocksdb_free(error.get(ValueLayout.JAVA_LONG, 0));
      int length = (int) count.get(ValueLayout.JAVA_LONG, 0);
      try {
        MemorySegment names = Memory.at(list, (long) length * Long.BYTES);
        byte[][] result = new byte[length][];
        Arrays.setAll(result, i -> Text.bytes(Memory.pointer(names, (long) i * Long.BYTES)));
        return result;
      } finally {
        rocksdb_list_column_families_destroy(list, length);
      }
    }
  }

  public static long create(long db, byte[] name, int length, long familyOptions) throws RocksDBException {
    return create(Arrays.copyOf(name, length), familyOptions, (call, options, text) ->
        rocksdb_create_column_family(Scratch.wrap(call, 0, db), options, text, Scratch.error(call)));
  }

  /** Creates a family of a name, by the options, and gives what the C API wraps it in. */
  interface Creator {
    long create(Call call, long options, long name);
  }

  static long create(byte[] name, long familyOptions, Creator creator) throws RocksDBException {
    try (Arena arena = Arena.ofConfined();
        FamilyArrays family =
            new FamilyArrays(new byte[][] {name}, DATABASE_DEFAULTS, new long[] {familyOptions}, arena)) {
      return create(family, 0, creator);
    }
  }

  private static long create(FamilyArrays families, int index, Creator creator) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long handle = creator.create(call, families.option(index), families.name(index));
      Scratch.check(call);
      return Wrappers.keep(handle);
    } finally {
      call.exit();
    }
  }

  public static long[] create(long db, long familyOptions, byte[][] names) throws RocksDBException {
    long[] options = new long[names.length];
    Arrays.fill(options, familyOptions);
    return create(db, options, names);
  }

  public static long[] create(long db, long[] familyOptions, byte[][] names) throws RocksDBException {
    try (Arena arena = Arena.ofConfined();
        FamilyArrays families = new FamilyArrays(names, DATABASE_DEFAULTS, familyOptions, arena)) {
      long[] handles = new long[names.length];
      int made = 0;
      try {
        while (made < names.length) {
          handles[made] = create(families, made, (call, options, name) ->
              rocksdb_create_column_family(Scratch.wrap(call, 0, db), options, name, Scratch.error(call)));
          made++;
        }
      } catch (RocksDBException e) {
        Arrays.stream(handles, 0, made).forEach(Families::dispose);
        throw e;
      }
      return handles;
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

  /** A family that an entry point made, with its database, has no wrapper. */
  public static void dispose(long family) {
    long wrapper = Wrappers.takeIfKept(family);
    if (wrapper != 0) {
      rocksdb_column_family_handle_destroy(wrapper);
    } else {
      Java_org_rocksdb_ColumnFamilyHandle_disposeInternalJni(family);
    }
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_free(long memory);

  private static native long rocksdb_column_family_handle_get_name(long family, long length);

  private static native long rocksdb_list_column_families(long options, long path, long count, long error);

  private static native void rocksdb_list_column_families_destroy(long list, long count);

  private static native long rocksdb_create_column_family(long db, long options, long name, long error);

  private static native void rocksdb_drop_column_family(long db, long family, long error);

  private static native void rocksdb_column_family_handle_destroy(long family);

  private static native void Java_org_rocksdb_ColumnFamilyHandle_disposeInternalJni(long family);
}
