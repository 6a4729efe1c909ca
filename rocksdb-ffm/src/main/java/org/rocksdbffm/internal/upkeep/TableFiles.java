/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import static org.rocksdbffm.internal.upkeep.Compactions.bytes;
import static org.rocksdbffm.internal.upkeep.Compactions.length;

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
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.order.OrderState;

/** The table files of a column family: listed by level, and compacted by choice. */
public final class TableFiles {
  private static final int MOST_LOOKS = 100;

  private TableFiles() {}

  /** Returns all files, by level from 0 on. */
  public static List<List<FileWork.Live>> levels(NativeFamily family) {
    return byLevel(family, live(family));
  }

  /**
   * Returns the files with keys in a range, by level from 0 on. The engine lists the names of these files, and
   * separately the metadata of all files; repeated if files were added or deleted in between.
   */
  public static List<List<FileWork.Live>> levels(NativeFamily family, byte[] from, byte[] until) {
    List<FileWork.Live> found = List.of();
    for (int i = 0; i < MOST_LOOKS; i++) {
      Set<String> names = namesWithin(family, from, until);
      found = live(family).stream().filter(file -> names.contains(file.path().getFileName().toString())).toList();
      if (found.size() == names.size()) {
        break;
      }
    }
    return byLevel(family, found);
  }

  private static List<List<FileWork.Live>> byLevel(NativeFamily family, List<FileWork.Live> files) {
    List<List<FileWork.Live>> levels = new ArrayList<>();
    for (int i = 0; i < family.levels(); i++) {
      levels.add(new ArrayList<>());
    }
    files.forEach(file -> levels.get(file.level()).add(file));
    return levels;
  }

  /** Returns all files. */
  private static List<FileWork.Live> live(NativeFamily family) {
    return family.within((db, arena, error) -> FileWork.live(db, family.name()::equals));
  }

  private static Set<String> namesWithin(NativeFamily family, byte[] from, byte[] until) {
    return family.within((db, arena, error) -> {
      MemorySegment options =
          Memory.until(
              arena,
              RocksDbC::rocksdb_column_family_metadata_options_destroy,
              RocksDbC.rocksdb_column_family_metadata_options_create());
      MemorySegment[] metadata = new MemorySegment[1];
      RocksDbC.rocksdb_column_family_metadata_options_set_start_key(options, bytes(from, arena), length(from));
      RocksDbC.rocksdb_column_family_metadata_options_set_end_key(options, bytes(until, arena), length(until));
      OrderState.amongFiles(() ->
          metadata[0] =
              Memory.until(
                  arena,
                  RocksDbC::rocksdb_column_family_metadata_destroy,
                  RocksDbC.rocksdb_get_column_family_metadata_cf_with_options(db, family.pointer(), options)));
      Set<String> names = new HashSet<>();
      for (long i = 0; i < RocksDbC.rocksdb_column_family_metadata_get_level_count(metadata[0]); i++) {
        MemorySegment level = RocksDbC.rocksdb_column_family_metadata_get_level_metadata(metadata[0], i);
        addNames(Memory.until(arena, RocksDbC::rocksdb_level_metadata_destroy, level), names);
      }
      return names;
    });
  }

  private static void addNames(MemorySegment level, Set<String> names) {
    for (long i = 0; i < RocksDbC.rocksdb_level_metadata_get_file_count(level); i++) {
      MemorySegment file = RocksDbC.rocksdb_level_metadata_get_sst_file_metadata(level, i);
      try {
        names.add(Status.takeText(RocksDbC.rocksdb_sst_file_metadata_get_relative_filename(file).address()));
      } finally {
        RocksDbC.rocksdb_sst_file_metadata_destroy(file);
      }
    }
  }

  /**
   * How chosen files are compacted; a file size of zero means no limit, and zero subcompactions the database's default.
   */
  public record How(int level, long fileSize, int subcompactions, boolean mayMove) {}

  /** Compacts chosen files, and files that the engine must add, on the calling thread; returns the new files. */
  public static List<Path> compact(NativeFamily family, List<Path> files, How how) {
    Database database = family.database();
    database.requireOpen();
    database.requireWritable();
    if (how.level < 0) {
      throw new IllegalArgumentException("level: " + how.level + ", but the first is 0");
    }
    Compactions.requireLevel("level", family, how.level);
    database.pauses().requireManualCompactions();
    String tried = "compacting files of " + family.handle().name();
    requireLive(family, files, tried);
    StackRoom.requireForReentrance();
    return family.within((db, arena, error) -> {
      MemorySegment names = Memory.strings(files.stream().map(file -> file.getFileName().toString()).toList(), arena);
      MemorySegment results = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment options =
          Memory.until(
              arena, RocksDbC::rocksdb_compaction_options_destroy, RocksDbC.rocksdb_compaction_options_create());
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
              family.lastPath(), // manual compactions write to the last table folder
              results,
              count,
              MemorySegment.NULL,
              error));
      return Memory.pointer(error, 0) != 0 ? null : paths(Memory.pointee(results, 0), count.get(ValueLayout.JAVA_LONG, 0));
    });
  }

  private static List<Path> paths(MemorySegment list, long count) {
    try {
      return Memory.strings(list.address(), count).stream().map(Path::of).toList();
    } finally {
      RocksDbC.rocksdb_compact_files_output_file_names_destroy(list, count);
    }
  }

  /** The engine checks only the number in a file's name, which may occur in other databases too. */
  private static void requireLive(NativeFamily family, List<Path> files, String tried) {
    Set<Path> live = new HashSet<>();
    live(family).forEach(each -> live.add(each.path()));
    for (Path file : files) {
      if (!live.contains(file)) {
        throw Status.parse(
            "Invalid argument: " + file + " is no table file of the column family, or not any more",
            tried + ": ask for its files again");
      }
    }
  }
}
