/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.db;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.foreign.Critical;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.options.LiveSettings;
import org.rocksdbffm.internal.options.PropertyTable;
import org.rocksdbffm.internal.order.OrderState;
import org.rocksdbffm.internal.settings.NativeOptions;

/** The operations of an open database other than reads and writes: flushes, compactions, families, options. */
public final class Maintenance {
  private Maintenance() {}

  /** Work with an open database; an error of the engine's goes into the last. */
  public interface Work<T> {
    T run(MemorySegment db, Arena arena, MemorySegment error);
  }

  /** Runs the work within a call that uses the database, and the family unless it is null. */
  public static <T> T within(Database database, NativeFamily family, Work<T> work) {
    Call call = Call.enter(database.handle());
    if (family != null) {
      call.alsoUse(family.handle(), null);
    }
    try (Arena arena = Arena.ofConfined()) {
      T result = work.run(database.pointer(), arena, call.error);
      check(database, call, (family == null ? database.handle() : family.handle()).name());
      return result;
    } finally {
      call.exit();
    }
  }

  /** Runs the work within a call that uses the database; what it tries is for messages. */
  public static <T> T within(Database database, Work<T> work, String tried) {
    Call call = Call.enter(database.handle());
    try (Arena arena = Arena.ofConfined()) {
      T result = work.run(database.pointer(), arena, call.error);
      check(database, call, tried);
      return result;
    } finally {
      call.exit();
    }
  }

  private static void check(Database database, Call call, String where) {
    try {
      Status.check(call.error, where);
    } finally {
      database.requireSound();
    }
  }

  /**
   * Has the engine give up what it is writing, and write no more, not even when it closes. Logged writes are
   * not lost.
   */
  static void stop(MemorySegment database) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment names = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment values = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
      names.set(ValueLayout.ADDRESS, 0, Memory.string("avoid_flush_during_shutdown", arena));
      values.set(ValueLayout.ADDRESS, 0, Memory.string("true", arena));
      RocksDbC.rocksdb_set_db_options(database, 1, names, values, error);
      if (Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // a database that cannot be written to writes nothing when it closes either
      }
      RocksDbC.rocksdb_cancel_all_background_work(database, (byte) 0);
    }
  }

  /**
   * Creates families with the same options, for which the engine writes down the options of the database once and not
   * once for each. Families that were made before a failure are added to the list all the same.
   */
  public static void createFamilies(
      Database database, List<String> names, NativeOptions options, List<NativeFamily> created) {
    within(database, null, (db, arena, error) -> {
      database.requireWritable();
      DatabaseOpener.claim(database, options);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      long gate = database.copies().enterFamily(options.isOrderedInJava());
      MemorySegment list =
          RocksDbC.rocksdb_create_column_families(
              db, options.pointer(), names.size(), strings(names, arena), count, error);
      try {
        long made = count.get(ValueLayout.JAVA_LONG, 0);
        MemorySegment handles = Memory.at(list.address(), made * Long.BYTES);
        for (int i = 0; i < made; i++) {
          created.add(database.adopt(names.get(i), Memory.pointee(handles, (long) i * Long.BYTES), options));
        }
        checkCreated(error, database.name());
      } finally {
        database.copies().leave(gate);
        RocksDbC.rocksdb_create_column_families_destroy(list);
      }
      return null;
    });
  }

  private static void checkCreated(MemorySegment error, String database) {
    if (Memory.pointer(error, 0) != 0) {
      String failure = Status.takeText(error);
      boolean isThere = failure.contains("Unable to persist options");
      Status.fail(failure, database + (isThere ? ": the column family is there all the same" : ""));
    }
  }

  /**
   * Drops a family; nothing is written to it from then on, and what is being written is waited for: the engine
   * stops all writes for one that comes too late. Rolls back the transactions that have written or locked some of it.
   */
  public static void drop(NativeFamily family) {
    Database database = family.database();
    Call.enter(database.handle()).exit();
    database.requireWritable(); // the engine would write a MANIFEST for a database that others have open
    if (!family.isDefault()) {
      database.requireNotPrepared(family);
      family.writing().close(() -> database.endTransactionsOn(family, false));
      database.endTransactionsOn(family, true);
      database.requireNotPrepared(family); // one may have been meanwhile
    }
    within(database, family, (db, arena, error) -> {
      RocksDbC.rocksdb_drop_column_family(db, family.pointer(), error);
      return null;
    });
  }

  /**
   * Has the engine look through the folder of a database that the call uses, and delete the files that no family has: it does
   * so when deletions are allowed again. Files that are being written stay.
   */
  public static void deleteUnknownFiles(Database database) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RocksDbC.rocksdb_disable_file_deletions(database.pointer(), error);
      if (Memory.pointer(error, 0) == 0) {
        RocksDbC.rocksdb_enable_file_deletions(database.pointer(), error);
      }
      if (Memory.pointer(error, 0) != 0) {
        Status.takeText(error); // they are deleted at the next opening
      }
    }
  }

  public static void flush(NativeFamily family, boolean wait, boolean allowWriteStall) {
    within(family.database(), family, (db, arena, error) -> {
      family.database().requireWritable();
      family.database().pauses().requireWork();
      withFlushOptions(wait, allowWriteStall, options ->
          RocksDbC.rocksdb_flush_cf(db, options, family.pointer(), error));
      return null;
    });
  }

  /**
   * Flushes families together, without those that are closed, or being closed by another thread; the engine does so at
   * one moment if the database has {@code atomic_flush}.
   */
  public static void flush(Database database, List<NativeFamily> families, boolean wait, boolean allowWriteStall) {
    List<Call> using = new ArrayList<>();
    try {
      List<NativeFamily> open = families.stream().filter(family -> enterOpen(family, using)).toList();
      within(database, null, (db, arena, error) -> {
        database.requireWritable();
        database.pauses().requireWork();
        MemorySegment pointers = arena.allocate(ValueLayout.ADDRESS, Math.max(1, open.size()));
        for (int i = 0; i < open.size(); i++) {
          pointers.setAtIndex(ValueLayout.ADDRESS, i, open.get(i).pointer());
        }
        withFlushOptions(wait, allowWriteStall, options ->
            RocksDbC.rocksdb_flush_cfs(db, options, pointers, open.size(), error));
        return null;
      });
    } finally {
      using.forEach(Call::exit);
    }
  }

  private static boolean enterOpen(NativeFamily family, List<Call> using) {
    try {
      using.add(Call.enter(family.handle()));
      return true;
    } catch (IllegalStateException e) {
      if (family.handle().isClosed()) {
        return false;
      }
      throw e;
    }
  }

  private static void withFlushOptions(boolean wait, boolean allowWriteStall, Consumer<MemorySegment> flush) {
    MemorySegment options = RocksDbC.rocksdb_flushoptions_create();
    try {
      RocksDbC.rocksdb_flushoptions_set_wait(options, (byte) (wait ? 1 : 0));
      RocksDbC.rocksdb_flushoptions_set_allow_write_stall(options, (byte) (allowWriteStall ? 1 : 0));
      flush.accept(options);
    } finally {
      RocksDbC.rocksdb_flushoptions_destroy(options);
    }
  }

  public static void flushWal(Database database, boolean sync) {
    within(database, null, (db, arena, error) -> {
      database.requireWritable();
      RocksDbC.rocksdb_flush_wal(db, (byte) (sync ? 1 : 0), error);
      return null;
    });
  }

  /** Compacts a range, whose ends may be null; a level of -1 stands for none. */
  public static void compact(
      NativeFamily family,
      byte[] from,
      byte[] until,
      boolean exclusive,
      int bottommost,
      int level,
      int subcompactions) {
    Database database = family.database();
    database.requireWritable();
    requireLevel("targetLevel", family, level);
    database.requireOpen();
    database.pauses().requireWork();
    long stops = database.pauses().requireManualCompactions();
    long failuresBefore = failuresInBackground(database);
    within(family.database(), family, (db, arena, error) -> {
      MemorySegment options = RocksDbC.rocksdb_compactoptions_create();
      try {
        RocksDbC.rocksdb_compactoptions_set_exclusive_manual_compaction(options, (byte) (exclusive ? 1 : 0));
        RocksDbC.rocksdb_compactoptions_set_bottommost_level_compaction(options, (byte) bottommost);
        if (level >= 0) {
          RocksDbC.rocksdb_compactoptions_set_change_level(options, (byte) 1);
          RocksDbC.rocksdb_compactoptions_set_target_level(options, level);
        }
        RocksDbC.rocksdb_compactoptions_set_target_path_id(options, family.lastPath());
        RocksDbC.rocksdb_compactoptions_set_max_subcompactions(options, subcompactions);
        OrderState.amongFiles(() ->
            RocksDbC.rocksdb_compact_range_cf_opt(
                db, family.pointer(), options, bytes(from, arena), length(from), bytes(until, arena), length(until)));
      } finally {
        RocksDbC.rocksdb_compactoptions_destroy(options);
      }
      return null;
    });
    database.pauses().requireNotStopped(stops, family.handle().name());
    if (failuresInBackground(database) > failuresBefore) {
      Status.fail(
          "Operation aborted: something failed in the background during the compaction; the database's LOG says what",
          family.handle().name());
    }
  }

  /** The engine would leave the files where they are, and not say so. */
  public static void requireLevel(String parameter, NativeFamily family, int level) {
    int levels = family.settings().levels();
    if (level >= levels || level >= 0 && !family.settings().movesToLevels()) {
      throw new IllegalArgumentException(
          parameter + ": " + level + ", but " + family.handle()
              + (level >= levels ? " has levels 0 to " + (levels - 1) : " is compacted by kCompactionStyleFIFO, which has no other level"));
    }
  }

  /** A compaction does not say that it failed, but is counted. */
  private static long failuresInBackground(Database database) {
    return longProperty(database.family(0), "rocksdb.background-errors").orElse(0);
  }

  /** A key, or NULL if there is none. */
  public static MemorySegment bytes(byte[] key, Arena arena) {
    if (key == null) {
      return MemorySegment.NULL;
    }
    // An empty key is not the same as none, so it needs an address.
    MemorySegment copy = arena.allocate(Math.max(1, key.length));
    MemorySegment.copy(key, 0, copy, ValueLayout.JAVA_BYTE, 0, key.length);
    return copy;
  }

  public static long length(byte[] key) {
    return key == null ? 0 : key.length;
  }

  /** Null if the engine cannot tell it at the moment. */
  public static String property(NativeFamily family, String name) {
    PropertyTable.check(name, family.settings().levels());
    return within(family.database(), family, (db, arena, error) -> {
      MemorySegment value = RocksDbC.rocksdb_property_value_cf(db, family.pointer(), Memory.string(name, arena));
      if (value.address() == 0) {
        return null;
      }
      try {
        return Memory.string(value.address());
      } finally {
        RocksDbC.rocksdb_free(value);
      }
    });
  }

  public static OptionalLong longProperty(NativeFamily family, String name) {
    PropertyTable.checkNumber(name, family.settings().levels());
    return within(family.database(), family, (db, arena, error) -> {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
      int failed = RocksDbC.rocksdb_property_int_cf(db, family.pointer(), Memory.string(name, arena), value);
      return failed != 0 ? OptionalLong.empty() : OptionalLong.of(value.get(ValueLayout.JAVA_LONG, 0));
    });
  }

  public static long latestSequenceNumber(Database database) {
    Call call = Call.enter(database.handle());
    try {
      return Critical.latestSequenceNumber(database.pointer().address());
    } finally {
      call.exit();
    }
  }

  /** Ends what {@link NativeOptions#holdCompactions} began. */
  static void letCompact(NativeFamily family) {
    setOptions(family, Map.of("disable_auto_compactions", "false"));
  }

  /** Changes options of an open column family. */
  public static void setOptions(NativeFamily family, Map<String, String> options) {
    family.database().requireWritable();
    synchronized (family.settings()) {
      LiveSettings.Change change = family.settings().check(options);
      if (options.isEmpty() || !change.forEngine().isEmpty()) {
        setInEngine(family, change.forEngine());
      }
      family.settings().take(change);
    }
  }

  private static void setInEngine(NativeFamily family, Map<String, String> options) {
    within(family.database(), family, (db, arena, error) -> {
      RocksDbC.rocksdb_set_options_cf(
          db,
          family.pointer(),
          options.size(),
          strings(options.keySet(), arena),
          strings(options.values(), arena),
          error);
      return null;
    });
  }

  /** Changes options of the open database as a whole. */
  public static void setDatabaseOptions(Database database, Map<String, String> options) {
    database.requireWritable();
    Map<String, String> checked = LiveSettings.checkDatabase(options);
    within(database, null, (db, arena, error) -> {
      RocksDbC.rocksdb_set_db_options(
          db, checked.size(), strings(checked.keySet(), arena), strings(checked.values(), arena), error);
      return null;
    });
  }

  private static MemorySegment strings(Iterable<String> strings, Arena arena) {
    List<MemorySegment> pointers = new ArrayList<>();
    strings.forEach(string -> pointers.add(Memory.string(string, arena)));
    MemorySegment array = arena.allocate(ValueLayout.ADDRESS, Math.max(1, pointers.size()));
    for (int i = 0; i < pointers.size(); i++) {
      array.setAtIndex(ValueLayout.ADDRESS, i, pointers.get(i));
    }
    return array;
  }
}
