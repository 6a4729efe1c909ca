/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.rocksdbffm.compat.support.Text;

/** The folders for the files of a database or a column family, each with its target size. */
public final class OptionPaths {
  private static final Paths NONE = new Paths(new String[0], new long[0]);

  private OptionPaths() {}

  private record Paths(String[] folders, long[] sizes) {}

  /** The kinds of options with folders: database options, family options, and family options inside full options. */
  public enum Owner {
    DATABASE,
    FAMILY,
    FAMILY_IN_OPTIONS;

    private String kept() {
      return this == DATABASE ? "database paths" : "family paths";
    }
  }

  public static void set(Owner owner, long options, String[] folders, long[] sizes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment paths = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, folders.length));
      try {
        for (int i = 0; i < folders.length; i++) {
          long path = rocksdb_dbpath_create(Text.ofPath(folders[i], arena).address(), sizes[i]);
          paths.setAtIndex(ValueLayout.JAVA_LONG, i, path);
        }
        long address = paths.address();
        switch (owner) {
          case DATABASE -> rocksdb_options_set_db_paths(options, address, folders.length);
          case FAMILY ->
              rocksdb_options_set_cf_paths(FamilyOptions.asOptions(options), address, folders.length);
          case FAMILY_IN_OPTIONS -> rocksdb_options_set_cf_paths(options, address, folders.length);
        }
      } finally {
        for (int i = 0; i < folders.length; i++) {
          long path = paths.getAtIndex(ValueLayout.JAVA_LONG, i);
          if (path != 0) {
            rocksdb_dbpath_destroy(path);
          }
        }
      }
    }
    OptionMemory.keep(options, owner.kept(), new Paths(folders, sizes));
  }

  public static void get(Owner owner, long options, String[] folders, long[] sizes) {
    Paths kept = kept(owner, options);
    System.arraycopy(kept.folders, 0, folders, 0, Math.min(folders.length, kept.folders.length));
    System.arraycopy(kept.sizes, 0, sizes, 0, Math.min(sizes.length, kept.sizes.length));
  }

  public static long count(Owner owner, long options) {
    return kept(owner, options).folders.length;
  }

  /** Returns the folders for the tables of a database. */
  static List<Path> ofDatabase(long options) {
    return Arrays.stream(kept(Owner.DATABASE, options).folders).map(Path::of).toList();
  }

  private static Paths kept(Owner owner, long options) {
    return (Paths) OptionMemory.kept(options, owner.kept(), NONE);
  }

  private static native long rocksdb_dbpath_create(long path, long size);

  private static native void rocksdb_dbpath_destroy(long path);

  private static native void rocksdb_options_set_db_paths(long options, long paths, long count);

  private static native void rocksdb_options_set_cf_paths(long options, long paths, long count);
}
