/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.rocksdbffm.compat.support.Text;

/** The folders of a database's or a family's files, each with the size that it is meant for. */
public final class OptionPaths {
  private static final String OF_DATABASE = "database paths";
  private static final String OF_FAMILY = "family paths";
  private static final Paths NONE = new Paths(new String[0], new long[0]);

  private OptionPaths() {}

  private record Paths(String[] folders, long[] sizes) {}

  private interface Setter {
    void set(long options, long paths, long count);
  }

  public static void setOfDatabase(long options, String[] folders, long[] sizes) {
    set(OptionPaths::rocksdb_options_set_db_paths, options, folders, sizes);
    OptionMemory.keep(options, OF_DATABASE, new Paths(folders, sizes));
  }

  public static void ofDatabase(long options, String[] folders, long[] sizes) {
    get(options, OF_DATABASE, folders, sizes);
  }

  public static long countOfDatabase(long options) {
    return ((Paths) OptionMemory.kept(options, OF_DATABASE, NONE)).folders.length;
  }

  public static void setOfFamilyInOptions(long options, String[] folders, long[] sizes) {
    set(OptionPaths::rocksdb_options_set_cf_paths, options, folders, sizes);
    OptionMemory.keep(options, OF_FAMILY, new Paths(folders, sizes));
  }

  public static void setOfFamily(long familyOptions, String[] folders, long[] sizes) {
    set(OptionPaths::rocksdb_options_set_cf_paths, FamilyOptions.asOptions(familyOptions), folders, sizes);
    OptionMemory.keep(familyOptions, OF_FAMILY, new Paths(folders, sizes));
  }

  public static void ofFamily(long options, String[] folders, long[] sizes) {
    get(options, OF_FAMILY, folders, sizes);
  }

  public static long countOfFamily(long options) {
    return ((Paths) OptionMemory.kept(options, OF_FAMILY, NONE)).folders.length;
  }

  private static void get(long options, String what, String[] folders, long[] sizes) {
    Paths kept = (Paths) OptionMemory.kept(options, what, NONE);
    System.arraycopy(kept.folders, 0, folders, 0, Math.min(folders.length, kept.folders.length));
    System.arraycopy(kept.sizes, 0, sizes, 0, Math.min(sizes.length, kept.sizes.length));
  }

  private static void set(Setter setter, long options, String[] folders, long[] sizes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment paths = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, folders.length));
      try {
        for (int i = 0; i < folders.length; i++) {
          long path = rocksdb_dbpath_create(Text.ofPath(folders[i], arena).address(), sizes[i]);
          paths.setAtIndex(ValueLayout.JAVA_LONG, i, path);
        }
        setter.set(options, paths.address(), folders.length);
      } finally {
        for (int i = 0; i < folders.length; i++) {
          long path = paths.getAtIndex(ValueLayout.JAVA_LONG, i);
          if (path != 0) {
            rocksdb_dbpath_destroy(path);
          }
        }
      }
    }
  }

  private static native long rocksdb_dbpath_create(long path, long size);

  private static native void rocksdb_dbpath_destroy(long path);

  private static native void rocksdb_options_set_db_paths(long options, long paths, long count);

  private static native void rocksdb_options_set_cf_paths(long options, long paths, long count);
}
