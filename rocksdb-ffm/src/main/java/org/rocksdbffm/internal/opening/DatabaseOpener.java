/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.opening;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.c.rocksdb_ffm_opening;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.DatabaseFolders;
import org.rocksdbffm.internal.folder.Destruction;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.OpenErrorHints;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.foreign.EngineTable;
import org.rocksdbffm.internal.foreign.HotCalls;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.LockSetting;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.transaction.OpenTransactions;
import org.rocksdbffm.internal.upkeep.LiveOptions;

/** Opens databases, lists their column families, and destroys them. */
public final class DatabaseOpener {
  private DatabaseOpener() {}

  /** Opens with the families named, whose default one must be among them; they are in the result's order. */
  public static Database open(
      Opening opening,
      NativeOptions options,
      SequencedMap<String, NativeOptions> families,
      List<NativeFamily> opened) {
    Set<Path> folders = new LinkedHashSet<>(options.paths());
    families.values().forEach(its -> folders.addAll(its.paths()));
    boolean isForReading = opening.kind().isForReading();
    Path folder = opening.path().real().path(); // as the engine gets it
    if (!isForReading) {
      requireNothingLeftOf(folder);
    }
    DatabaseFolders.Named named =
        new DatabaseFolders.Named(List.copyOf(folders), options.logFolder(folder), options.messageFolder(folder));
    FolderClaim claim = settled(opening.path(), () -> DatabaseFolders.claim(folder, named, isForReading));
    try {
      return openClaimed(opening, claim, options, families, opened);
    } catch (Throwable e) {
      claim.undo(folder);
      throw e;
    }
  }

  private static Database openClaimed(
      Opening opening,
      FolderClaim claim,
      NativeOptions options,
      SequencedMap<String, NativeOptions> families,
      List<NativeFamily> opened) {
    if (opening.kind().isForReading()) {
      return openFiles(opening, claim, options, families, opened);
    }
    for (NativeOptions its : families.values()) {
      if (its.isOrderedInJava()) {
        return openInOrder(opening, claim, options, families, opened);
      }
    }
    return openFiles(opening, claim, options, families, opened);
  }

  /**
   * The place and the kind of a database that is opened.
   *
   * @param lockSettings for a database with locks; otherwise empty
   */
  public record Opening(FolderPath path, DatabaseKind kind, Map<LockSetting, Long> lockSettings) {}

  /** The engine compacts by itself when the files are known to be in the order of Java's comparators, and not before. */
  private static Database openInOrder(
      Opening opening,
      FolderClaim claim,
      NativeOptions options,
      SequencedMap<String, NativeOptions> families,
      List<NativeFamily> opened) {
    FileListener order = FileListener.listening(options);
    Set<String> held = new HashSet<>();
    families.forEach((family, its) -> {
      if (its.isOrderedInJava() && its.holdCompactions()) {
        held.add(family);
      }
    });
    Database database = openFiles(opening, claim, options, families, opened);
    order.serves(database);
    try {
      opened.stream().filter(family -> held.contains(family.name())).forEach(LiveOptions::letCompact);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
    return database;
  }

  /**
   * Refuses a folder that has lost its CURRENT file: where the engine may create a database, it takes such a folder
   * for an empty one, at the second attempt at the latest, and deletes what it finds there.
   */
  private static void requireNothingLeftOf(Path folder) {
    String file = leftOver(folder);
    if (file != null) {
      throw Status.parse(
          "Corruption: the file CURRENT is missing, but there is " + file,
          OpenErrorHints.on("CURRENT is missing", "opening " + folder));
    }
  }

  /** A file of a database in a folder that has lost its CURRENT file; null if there is none, or it cannot be told. */
  public static String leftOver(Path folder) {
    if (Files.exists(folder.resolve("CURRENT")) || !Files.isDirectory(folder)) {
      return null;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{log,sst,blob}")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.matches("\\d+\\.\\w+")) {
          return name;
        }
      }
      return null;
    } catch (IOException | DirectoryIteratorException unreadable) {
      return null; // the engine will tell
    }
  }

  private static Database openFiles(
      Opening how,
      FolderClaim claim,
      NativeOptions options,
      SequencedMap<String, NativeOptions> families,
      List<NativeFamily> opened) {
    FolderPath path = how.path();

    HotCalls.linkAll();
    StackRoom.requireForReentrance(); // what is opened has to be taken over, or its folder stays locked
    long began = FlightRecords.begin();
    try (Arena arena = Arena.ofConfined()) {
      int count = families.size();
      MemorySegment names = arena.allocate(ValueLayout.JAVA_LONG, count);
      MemorySegment ofFamilies = arena.allocate(ValueLayout.JAVA_LONG, count);
      MemorySegment handles = arena.allocate(ValueLayout.JAVA_LONG, count);
      long place = 0;
      for (var family : families.entrySet()) {
        Memory.point(names, place, Memory.string(family.getKey(), arena));
        Memory.point(ofFamilies, place, family.getValue().pointer());
        place += Long.BYTES;
      }
      options.startLog("database " + path);
      MemorySegment opening = rocksdb_ffm_opening.allocate(arena);
      Memory.point(opening, rocksdb_ffm_opening.engine$offset(), EngineTable.TABLE);
      Memory.point(opening, rocksdb_ffm_opening.options$offset(), options.pointer());
      Memory.point(opening, rocksdb_ffm_opening.path$offset(), Memory.string(path.real().bytes(), arena));
      opening.set(ValueLayout.JAVA_LONG, rocksdb_ffm_opening.family_count$offset(), count);
      Memory.point(opening, rocksdb_ffm_opening.names$offset(), names);
      Memory.point(opening, rocksdb_ffm_opening.family_options$offset(), ofFamilies);
      Memory.point(opening, rocksdb_ffm_opening.families$offset(), handles);
      switch (how.kind()) {
        case PLAIN -> RocksDbC.rocksdb_ffm_open(opening);
        case FOR_READING -> openForReading(opening);
        case LOCKING -> openLocking(opening, how.lockSettings());
        case OPTIMISTIC -> openOptimistic(opening);
      }
      MemorySegment db = Memory.pointee(opening, rocksdb_ffm_opening.db$offset());
      MemorySegment error = errorOf(opening);
      try {
        OpenErrorHints.check(error, "opening " + path);
      } catch (RocksDbException e) {
        requireSound(path, families);
        throw e;
      }
      OpenTransactions transactions = new OpenTransactions(path.path());
      Database database = new Database(path.path(), db, how.kind(), claim, transactions);
      database.share(options);
      place = 0;
      for (var family : families.entrySet()) {
        MemorySegment handle = Memory.pointee(handles, place);
        opened.add(database.adopt(family.getKey(), handle, family.getValue()));
        place += Long.BYTES;
      }
      try {
        requireSound(path, families);
        if (database.isOrderedInJava()) {
          FileListener.require(database);
        }
        if (how.kind() == DatabaseKind.LOCKING) {
          transactions.prepared().recover(db, List.copyOf(opened));
        }
        if (database.cachesRows()) {
          RangeDeletions.requireNone(opened);
        }
      } catch (IllegalStateException e) {
        database.stop(e.getMessage(), e.getCause());
        database.close();
        throw e;
      } catch (RocksDbException e) {
        database.close();
        throw e;
      }
      FlightRecords.opened(database.name(), began);
      return database;
    }
  }

  /**
   * The engine's other function, for the default family alone, would make a database of another kind if all is in one
   * level: one that takes values in blob files and what was deleted by ranges for rows that are not there, and for rows
   * that are, and that ends the process at a merge.
   */
  private static void openForReading(MemorySegment opening) {
    MemorySegment db =
        RocksDbC.rocksdb_open_for_read_only_column_families(
            Memory.pointee(opening, rocksdb_ffm_opening.options$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.path$offset()),
            (int) Memory.pointer(opening, rocksdb_ffm_opening.family_count$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.names$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.family_options$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.families$offset()),
            (byte) 0,
            errorOf(opening));
    Memory.point(opening, rocksdb_ffm_opening.db$offset(), db);
  }

  /**
   * The engine's C API makes for a database with transactions a pointer to an object that is a database, as it does for
   * any other: its functions for databases serve it, and its writes are those of the object.
   */
  private static void openLocking(MemorySegment opening, Map<LockSetting, Long> settings) {
    MemorySegment options = RocksDbC.rocksdb_transactiondb_options_create();
    try {
      settings.forEach((setting, value) -> setting.apply(options, value));
      MemorySegment db =
          RocksDbC.rocksdb_transactiondb_open_column_families(
              Memory.pointee(opening, rocksdb_ffm_opening.options$offset()),
              options,
              Memory.pointee(opening, rocksdb_ffm_opening.path$offset()),
              (int) Memory.pointer(opening, rocksdb_ffm_opening.family_count$offset()),
              Memory.pointee(opening, rocksdb_ffm_opening.names$offset()),
              Memory.pointee(opening, rocksdb_ffm_opening.family_options$offset()),
              Memory.pointee(opening, rocksdb_ffm_opening.families$offset()),
              errorOf(opening));
      Memory.point(opening, rocksdb_ffm_opening.db$offset(), db);
    } finally {
      RocksDbC.rocksdb_transactiondb_options_destroy(options);
    }
  }

  private static void openOptimistic(MemorySegment opening) {
    MemorySegment db =
        RocksDbC.rocksdb_optimistictransactiondb_open_column_families(
            Memory.pointee(opening, rocksdb_ffm_opening.options$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.path$offset()),
            (int) Memory.pointer(opening, rocksdb_ffm_opening.family_count$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.names$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.family_options$offset()),
            Memory.pointee(opening, rocksdb_ffm_opening.families$offset()),
            errorOf(opening));
    Memory.point(opening, rocksdb_ffm_opening.db$offset(), db);
  }

  private static MemorySegment errorOf(MemorySegment opening) {
    return opening.asSlice(rocksdb_ffm_opening.error$offset(), Long.BYTES);
  }

  /** Nothing of what was read back may stay where a comparator has thrown over it. */
  private static void requireSound(FolderPath path, SequencedMap<String, NativeOptions> families) {
    for (NativeOptions options : families.values()) {
      options.requireSound(path.toString());
    }
  }

  /** Something to be settled between what a folder has and what its database is to be opened with. */
  public interface Settling<T> {
    T settle() throws Refused;
  }

  public static <T> T settled(FolderPath path, Settling<T> settling) {
    return settled(path, "opening ", settling);
  }

  /** The same, for something else that was tried with the folder, as messages have it. */
  public static <T> T settled(FolderPath path, String tried, Settling<T> settling) {
    try {
      return settling.settle();
    } catch (Refused e) {
      throw Status.parse(e.getMessage(), tried + path + ": " + e.advice());
    }
  }

  /** The names of a database's column families. */
  public static List<String> families(FolderPath path) {
    try (Arena arena = Arena.ofConfined();
        NativeOptions options = NativeOptions.defaults()) {
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment list =
          RocksDbC.rocksdb_list_column_families(options.pointer(), Memory.string(path.bytes(), arena), count, error);
      OpenErrorHints.check(error, "listing the column families of " + path);
      long length = count.get(ValueLayout.JAVA_LONG, 0);
      try {
        MemorySegment pointers = Memory.at(list.address(), length * Long.BYTES);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < length; i++) {
          names.add(Memory.string(Memory.pointer(pointers, (long) i * Long.BYTES)));
        }
        return names;
      } finally {
        RocksDbC.rocksdb_list_column_families_destroy(list, length);
      }
    }
  }

  /** Throws if the cell holds an engine's message about a folder that it cannot use. */
  public static void checkOpening(MemorySegment errorCell, String tried) {
    OpenErrorHints.check(errorCell, tried);
  }

  /** Deletes a database's files; what is left is told. */
  public static List<Path> destroy(FolderPath path) {
    String tried = "destroying ";
    FolderPath real = path.real();
    try (FolderClaim claim = new FolderClaim(tried + path)) {
      Destruction destruction = settled(path, tried, () -> Destruction.of(real.path(), claim));
      if (destruction == null) {
        return List.of();
      }
      try (Arena arena = Arena.ofConfined();
          NativeOptions options = NativeOptions.ofFiles(destruction.tableFolders(), destruction.ownedLogs())) {
        MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
        RocksDbC.rocksdb_destroy_db(options.pointer(), Memory.string(real.bytes(), arena), error);
        OpenErrorHints.check(error, tried + path);
      }
      return settled(path, tried, destruction::end);
    }
  }
}
