/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.settings;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * The folders of tables, in their order.
 *
 * @param places none for the folder of the database
 */
public record TablePaths(List<Place> places) {
  public static final TablePaths NONE = new TablePaths(List.of());

  /**
   * A folder of tables.
   *
   * @param folder absolute
   * @param bytes those of its path
   * @param target how much is there before the next one is used
   */
  public record Place(Path folder, byte[] bytes, long target) {}

  List<Path> folders() {
    return places.stream().map(Place::folder).toList();
  }

  /** Sets them for a database that is opened with the options, and for a family that is. */
  void setIn(MemorySegment options) {
    if (places.isEmpty()) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG, places.size());
      List<MemorySegment> made = new ArrayList<>();
      for (Place place : places) {
        MemorySegment path = RocksDbC.rocksdb_dbpath_create(Memory.string(place.bytes, arena), place.target);
        Memory.point(pointers, (long) made.size() * Long.BYTES, path);
        made.add(path);
      }
      RocksDbC.rocksdb_options_set_db_paths(options, pointers, made.size());
      RocksDbC.rocksdb_options_set_cf_paths(options, pointers, made.size());
      made.forEach(RocksDbC::rocksdb_dbpath_destroy);
    }
  }
}
