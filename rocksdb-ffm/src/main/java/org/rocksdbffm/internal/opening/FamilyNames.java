/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.OpenErrorHints;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.settings.NativeOptions;

/** Lists the column families of a database in a folder. */
public final class FamilyNames {
  private FamilyNames() {}

  public static List<String> in(FolderPath path) {
    String tried = "listing the column families of " + path;
    Refused.settled(tried, () -> {
      DatabaseFile.require(path.path().resolve("CURRENT"));
      return null;
    });
    try (Arena arena = Arena.ofConfined();
        NativeOptions options = NativeOptions.defaults()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment list =
          RocksDbC.rocksdb_list_column_families(options.pointer(), Memory.string(path.bytes(), arena), count, error);
      OpenErrorHints.check(error, tried);
      long length = count.get(ValueLayout.JAVA_LONG, 0);
      Memory.until(arena, memory -> RocksDbC.rocksdb_list_column_families_destroy(memory, length), list);
      return Memory.strings(list.address(), length);
    }
  }
}
