/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.upkeep;

import static org.rocksdbffm.internal.upkeep.Compactions.bytes;
import static org.rocksdbffm.internal.upkeep.Compactions.length;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.order.OrderState;

/** Queries and operations on the table and WAL files of an open database. */
public final class FileWork {
  private static final double NO_MARGIN = -1;
  private static final long MOST_MICROS = Long.MAX_VALUE / 4; // the engine adds the current time
  private static final int ARCHIVED = 0;
  private static final long NANOS_PER_MICRO = 1000;

  private FileWork() {}

  /** The engine's metadata of a table file. */
  public record Live(
      String family,
      Path path,
      int level,
      long size,
      ByteBuffer first,
      ByteBuffer last,
      long entries,
      long deletions,
      long firstSequence,
      long lastSequence) {}

  /** The kinds of files that the size of a range includes; a margin of zero means an exact size. */
  public record Measure(boolean memtables, boolean tables, boolean blobs, double margin) {}

  /** The engine's metadata of a WAL file. */
  public record Log(long number, boolean archived, long firstSequence, long size, Path path) {}

  public static long approximateSize(NativeFamily family, byte[] from, byte[] until, Measure measure) {
    long size = family.within((db, arena, error) -> {
      MemorySegment starts = pointerTo(bytes(from, arena), arena);
      MemorySegment ends = pointerTo(bytes(until, arena), arena);
      MemorySegment startSizes = arena.allocateFrom(ValueLayout.JAVA_LONG, from.length);
      MemorySegment endSizes = arena.allocateFrom(ValueLayout.JAVA_LONG, until.length);
      MemorySegment found = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment options =
          Memory.until(
              arena,
              RocksDbC::rocksdb_size_approximation_options_destroy,
              RocksDbC.rocksdb_size_approximation_options_create());
      RocksDbC.rocksdb_size_approximation_options_set_include_memtables(options, flag(measure.memtables));
      RocksDbC.rocksdb_size_approximation_options_set_include_files(options, flag(measure.tables));
      RocksDbC.rocksdb_size_approximation_options_set_include_blob_files(options, flag(measure.blobs));
      RocksDbC.rocksdb_size_approximation_options_set_files_size_error_margin(
          options, measure.margin == 0 ? NO_MARGIN : measure.margin);
      OrderState.amongFiles(() ->
          RocksDbC.rocksdb_approximate_sizes_cf_with_options(
              db, family.pointer(), options, 1, starts, startSizes, ends, endSizes, found, error));
      return found.get(ValueLayout.JAVA_LONG, 0);
    });
    return Math.max(0, size); // for an empty range, the engine may subtract the larger offset
  }

  private static byte flag(boolean isSet) {
    return (byte) (isSet ? 1 : 0);
  }

  private static MemorySegment pointerTo(MemorySegment key, Arena arena) {
    MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
    Memory.point(pointer, 0, key);
    return pointer;
  }

  public static void suggestCompact(NativeFamily family, byte[] from, byte[] until) {
    family.database().requireWritable();
    family.run((db, arena, error) ->
      OrderState.amongFiles(() ->
          RocksDbC.rocksdb_suggest_compact_range_cf(
              db, family.pointer(), bytes(from, arena), length(from), bytes(until, arena), length(until), error)));
  }

  /**
   * Makes the engine compute again which files need a compaction, without a call. The suggested range is a single key,
   * so that at most a few files are compacted without need: a comparator in Java gets only keys that it knows.
   */
  static void scheduleCompactions(Database database) {
    MemorySegment db = database.pointer();
    Map<String, byte[]> keys = new HashMap<>();
    if (database.isOrderedInJava()) {
      List<Live> files = new ArrayList<>(live(db));
      files.sort(Comparator.comparingInt(Live::level));
      files.forEach(file -> keys.put(file.family(), file.first().array())); // of the last level
    }
    for (NativeFamily family : database.families()) {
      byte[] key = family.rules().comparator() == null ? new byte[0] : keys.get(family.name());
      if (key != null) { // otherwise there are no files
        family.whileWritable(() -> scheduleCompactions(db, family, key));
      }
    }
  }

  private static void scheduleCompactions(MemorySegment db, NativeFamily family, byte[] key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment only = arena.allocate(Math.max(1, key.length)).copyFrom(MemorySegment.ofArray(key));
      long size = key.length;
      OrderState.amongFiles(() ->
          RocksDbC.rocksdb_suggest_compact_range_cf(db, family.pointer(), only, size, only, size, error));
      if (Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // the next flush schedules them
      }
    }
  }

  public static void deleteFilesWithin(NativeFamily family, byte[] first, byte[] last) {
    family.database().requireWritable();
    family.run((db, arena, error) ->
      OrderState.amongFiles(() ->
          RocksDbC.rocksdb_delete_file_in_range_cf(
              db, family.pointer(), bytes(first, arena), length(first), bytes(last, arena), length(last), error)));
  }

  public static String identity(Database database) {
    String identity = database.within((db, arena, error) -> {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment text = RocksDbC.rocksdb_get_db_identity(db, size);
      if (text.address() == 0) {
        return null;
      }
      try {
        return new String(
            Memory.toArray(text.address(), size.get(ValueLayout.JAVA_LONG, 0)), java.nio.charset.StandardCharsets.UTF_8);
      } finally {
        RocksDbC.rocksdb_free(text);
      }
    });
    if (identity == null) {
      Status.fail("NotFound: the database has no identity", database.name());
    }
    return identity;
  }

  public static List<Live> live(Database database) {
    return database.within((db, arena, error) -> live(db));
  }

  /** As above, for callbacks, which run inside an existing call. */
  public static List<Live> live(MemorySegment db) {
    return live(db, family -> true);
  }

  static List<Live> live(MemorySegment db, Predicate<String> families) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment files = Memory.until(arena, RocksDbC::rocksdb_livefiles_destroy, RocksDbC.rocksdb_livefiles(db));
      MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
      List<Live> live = new ArrayList<>();
      for (int i = 0; i < RocksDbC.rocksdb_livefiles_count(files); i++) {
        String family = Memory.string(RocksDbC.rocksdb_livefiles_column_family_name(files, i).address());
        if (families.test(family)) {
          live.add(live(family, files, i, size));
        }
      }
      return live;
    }
  }

  private static Live live(String family, MemorySegment files, int i, MemorySegment size) {
    String folder = Memory.string(RocksDbC.rocksdb_livefiles_directory(files, i).address());
    String name = Memory.string(RocksDbC.rocksdb_livefiles_name(files, i).address());
    return new Live(
        family,
        Path.of(folder, name), // the name starts with a slash
        RocksDbC.rocksdb_livefiles_level(files, i),
        RocksDbC.rocksdb_livefiles_size(files, i),
        key(RocksDbC.rocksdb_livefiles_smallestkey(files, i, size), size),
        key(RocksDbC.rocksdb_livefiles_largestkey(files, i, size), size),
        RocksDbC.rocksdb_livefiles_entries(files, i),
        RocksDbC.rocksdb_livefiles_deletions(files, i),
        RocksDbC.rocksdb_livefiles_smallest_seqno(files, i),
        RocksDbC.rocksdb_livefiles_largest_seqno(files, i));
  }

  private static ByteBuffer key(MemorySegment key, MemorySegment size) {
    return ByteBuffer.wrap(Memory.toArray(key.address(), size.get(ValueLayout.JAVA_LONG, 0)));
  }

  /** Returns the WAL files, the oldest first; the engine reads the first record of each. */
  public static List<Log> logs(Database database) {
    return database.within((db, arena, error) -> {
      MemorySegment files = RocksDbC.rocksdb_get_sorted_wal_files(db, error);
      if (Memory.pointer(error, 0) != 0) {
        return null;
      }
      Memory.until(arena, RocksDbC::rocksdb_wal_files_destroy, files);
      List<Log> logs = new ArrayList<>();
      for (long i = 0; i < RocksDbC.rocksdb_wal_files_count(files); i++) {
        logs.add(log(database, RocksDbC.rocksdb_wal_files_get_wal_file(files, i)));
      }
      return logs;
    });
  }

  private static Log log(Database database, MemorySegment file) {
    String name = Memory.string(RocksDbC.rocksdb_wal_file_path_name(file).address()).substring(1); // without the slash
    return new Log(
        RocksDbC.rocksdb_wal_file_log_number(file),
        RocksDbC.rocksdb_wal_file_type(file) == ARCHIVED,
        RocksDbC.rocksdb_wal_file_start_sequence(file),
        RocksDbC.rocksdb_wal_file_size_file_bytes(file),
        database.logFolder().resolve(name));
  }

  public static void verifyFileChecksums(Database database) {
    database.run((db, arena, error) ->
      RocksDbC.rocksdb_verify_file_checksums(db, error));
  }

  public static void verifyChecksums(Database database) {
    database.run((db, arena, error) ->
      RocksDbC.rocksdb_verify_checksum(db, error));
  }

  public static void waitForCompact(Database database, Duration timeout) {
    database.requireOpen();
    database.requireWritable();
    database.pauses().requireWork();
    long micros =
        timeout.compareTo(Duration.ofDays(1 << 20)) > 0
            ? MOST_MICROS
            : Math.max(1, (timeout.toNanosPart() / NANOS_PER_MICRO) + timeout.toSeconds() * 1_000_000);
    database.within(
        (db, arena, error) -> {
          MemorySegment options =
              Memory.until(
                  arena, RocksDbC::rocksdb_wait_for_compact_options_destroy, RocksDbC.rocksdb_wait_for_compact_options_create());
          RocksDbC.rocksdb_wait_for_compact_options_set_timeout(options, micros);
          RocksDbC.rocksdb_wait_for_compact(db, options, error);
          return null;
        },
        "waiting for the compactions of " + database.name());
  }

  /**
   * Makes the engine scan the folder and delete files that belong to no family, which it does when file deletions are
   * enabled again. Files that are being written stay. Called within a call that uses the database.
   */
  public static void deleteUnknownFiles(Database database) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RocksDbC.rocksdb_disable_file_deletions(database.pointer(), error);
      if (Memory.pointer(error, 0) == 0) {
        RocksDbC.rocksdb_enable_file_deletions(database.pointer(), error);
      }
      if (Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // the files are deleted at the next opening
      }
    }
  }
}
