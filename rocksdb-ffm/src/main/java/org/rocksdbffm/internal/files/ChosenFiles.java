/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.Maintenance;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.order.OrderState;

/** A compaction of files that the user chooses. The engine runs it on the thread that asks. */
public final class ChosenFiles {
  private static final int SAME_FOLDER = 0;

  private ChosenFiles() {}

  /** How they are compacted; a size of zero is no limit, and zero threads are as many as the database is set to. */
  public record How(int level, long fileSize, int subcompactions, boolean mayMove) {}

  /** Compacts files of a family, and those that the engine finds to be needed too; returns the new ones. */
  public static List<Path> compact(NativeFamily family, List<Path> files, How how) {
    Database database = family.database();
    database.requireOpen();
    database.requireWritable();
    if (how.level < 0) {
      throw new IllegalArgumentException("level: " + how.level + ", but the first is 0");
    }
    Maintenance.requireLevel("level", family, how.level);
    database.pauses().requireManualCompactions();
    String tried = "compacting files of " + family.handle().name();
    requireLive(family, files, tried);
    StackRoom.requireForReentrance();
    return Maintenance.within(database, family, (db, arena, error) -> {
      MemorySegment names = arena.allocate(ValueLayout.JAVA_LONG, files.size());
      for (int i = 0; i < files.size(); i++) {
        String name = files.get(i).getFileName().toString();
        Memory.point(names, (long) i * Long.BYTES, Memory.string(name, arena));
      }
      MemorySegment results = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment options = RocksDbC.rocksdb_compaction_options_create();
      try {
        if (how.fileSize != 0) {
          RocksDbC.rocksdb_compaction_options_set_output_file_size_limit(options, how.fileSize);
        }
        RocksDbC.rocksdb_compaction_options_set_max_subcompactions(options, how.subcompactions);
        RocksDbC.rocksdb_compaction_options_set_allow_trivial_move(options, (byte) (how.mayMove ? 1 : 0));
        OrderState.amongFiles(() ->
            RocksDbC.rocksdb_compact_files_cf(
                db,
                family.pointer(),
                options,
                names,
                files.size(),
                how.level,
                SAME_FOLDER,
                results,
                count,
                MemorySegment.NULL,
                error));
      } finally {
        RocksDbC.rocksdb_compaction_options_destroy(options);
      }
      return Memory.pointer(error, 0) != 0 ? null : paths(results, count.get(ValueLayout.JAVA_LONG, 0));
    });
  }

  private static List<Path> paths(MemorySegment results, long count) {
    MemorySegment list = Memory.pointee(results, 0);
    try {
      MemorySegment pointers = Memory.at(list.address(), count * Long.BYTES);
      List<Path> paths = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        paths.add(Path.of(Memory.string(Memory.pointer(pointers, i * Long.BYTES))));
      }
      return paths;
    } finally {
      RocksDbC.rocksdb_compact_files_output_file_names_destroy(list, count);
    }
  }

  /** The engine looks at the number in a file's name alone, which other databases have too. */
  private static void requireLive(NativeFamily family, List<Path> files, String tried) {
    Set<Path> live = new HashSet<>();
    FileWork.live(family).forEach(each -> live.add(each.path()));
    for (Path file : files) {
      if (!live.contains(file)) {
        throw Status.parse(
            "Invalid argument: " + file + " is no table file of the column family, or not any more",
            tried + ": ask for its files again");
      }
    }
  }
}
