/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * A folder for table files.
 *
 * @param folder absolute
 * @param bytes the path as the file system encodes it
 * @param target the size of tables after which the next folder is used
 */
public record TablePath(Path folder, byte[] bytes, long target) {
  /** Sets the table folders, for a database or a family that is opened with the options. */
  static void set(List<TablePath> paths, MemorySegment options) {
    if (paths.isEmpty()) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> made =
          paths.stream()
              .map(path -> RocksDbC.rocksdb_dbpath_create(Memory.string(path.bytes, arena), path.target))
              .toList();
      MemorySegment pointers = Memory.pointers(made, arena);
      RocksDbC.rocksdb_options_set_db_paths(options, pointers, made.size());
      RocksDbC.rocksdb_options_set_cf_paths(options, pointers, made.size());
      made.forEach(RocksDbC::rocksdb_dbpath_destroy);
    }
  }
}
