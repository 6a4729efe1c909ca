/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

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
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.jfr.FlightRecords;

/** Opens databases, and does what needs no open one. */
public final class Opening {
  private Opening() {}

  /** Opens with the families named, whose default one must be among them; they are in the result's order. */
  public static Database readWrite(
      String path, NativeOptions options, SequencedMap<String, NativeOptions> families, List<NativeFamily> opened) {
    requireNothingLeftOf(path);
    return families.values().stream().anyMatch(NativeOptions::isOrderedInJava)
        ? readWriteInOrder(path, options, families, opened)
        : readWriteUnwatched(path, options, families, opened);
  }

  private static Database readWriteUnwatched(
      String path, NativeOptions options, SequencedMap<String, NativeOptions> families, List<NativeFamily> opened) {
    return open(path, families, opened, false, (name, names, optionArray, handles, error) ->
        RocksDbC.rocksdb_open_column_families(
            options.pointer(), name, families.size(), names, optionArray, handles, error));
  }

  /** The engine compacts by itself when the files are known to be in the order of Java's comparators, and not before. */
  private static Database readWriteInOrder(
      String path, NativeOptions options, SequencedMap<String, NativeOptions> families, List<NativeFamily> opened) {
    FileOrder order = FileOrder.listening(options);
    Set<String> held = new HashSet<>();
    families.forEach((family, its) -> {
      if (its.isOrderedInJava() && its.holdCompactions()) {
        held.add(family);
      }
    });
    Database database = readWriteUnwatched(path, options, families, opened);
    order.serves(database);
    try {
      opened.stream().filter(family -> held.contains(family.name())).forEach(Maintenance::letCompact);
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
  private static void requireNothingLeftOf(String path) {
    String file = leftOver(path);
    if (file != null) {
      throw Status.parse(
          "Corruption: the file CURRENT is missing, but there is " + file,
          OpeningAdvice.on("CURRENT is missing", "opening " + path));
    }
  }

  /** A file of a database in a folder that has lost its CURRENT file; null if there is none, or it cannot be told. */
  public static String leftOver(String path) {
    Path folder = Path.of(path);
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

  /** Opens for reading alone; writes that are in the log alone are read from there. */
  public static Database readOnly(
      String path, NativeOptions options, SequencedMap<String, NativeOptions> families, List<NativeFamily> opened) {
    return open(path, families, opened, true, (name, names, optionArray, handles, error) -> isDefaultAlone(families, options)
        ? readOnlyDefault(families.firstEntry().getValue(), name, handles, error)
        : RocksDbC.rocksdb_open_for_read_only_column_families(
            options.pointer(),
            name,
            families.size(),
            names,
            optionArray,
            handles,
            (byte) 0,
            error));
  }

  private static boolean isDefaultAlone(SequencedMap<String, NativeOptions> families, NativeOptions options) {
    return families.size() == 1 && families.firstEntry().getValue().isLike(options);
  }

  /**
   * The engine has a shorter way to the values of a fully compacted database, if it is opened like this. The options are
   * the family's, because it is their callbacks that the database keeps.
   */
  private static MemorySegment readOnlyDefault(
      NativeOptions options, MemorySegment path, MemorySegment handles, MemorySegment error) {
    MemorySegment db = RocksDbC.rocksdb_open_for_read_only(options.pointer(), path, (byte) 0, error);
    if (db.address() != 0) {
      handles.set(ValueLayout.ADDRESS, 0, RocksDbC.rocksdb_get_default_column_family_handle(db));
    }
    return db;
  }

  private interface Opener {
    MemorySegment open(
        MemorySegment path,
        MemorySegment names,
        MemorySegment options,
        MemorySegment handles,
        MemorySegment error);
  }

  private static Database open(
      String path,
      SequencedMap<String, NativeOptions> families,
      List<NativeFamily> opened,
      boolean forReadingAlone,
      Opener opener) {
    if (Frame.areLookedFor()) {
      Frame.requireStack();
    }
    long began = FlightRecords.begin();
    try (Arena arena = Arena.ofConfined()) {
      int count = families.size();
      MemorySegment names = arena.allocate(ValueLayout.ADDRESS, count);
      MemorySegment options = arena.allocate(ValueLayout.ADDRESS, count);
      MemorySegment handles = arena.allocate(ValueLayout.ADDRESS, count);
      int index = 0;
      for (var family : families.entrySet()) {
        names.setAtIndex(ValueLayout.ADDRESS, index, Memory.string(family.getKey(), arena));
        options.setAtIndex(ValueLayout.ADDRESS, index, family.getValue().pointer());
        index++;
      }
      MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment db = opener.open(Memory.string(path, arena), names, options, handles, error);
      try {
        Status.check(error, message -> OpeningAdvice.on(message, "opening " + path));
      } catch (RocksDbException e) {
        requireSound(path, families);
        throw e;
      }
      Database database = new Database(path, db, forReadingAlone);
      index = 0;
      for (var family : families.entrySet()) {
        MemorySegment handle = handles.getAtIndex(ValueLayout.ADDRESS, index++);
        opened.add(database.adopt(family.getKey(), handle, family.getValue()));
      }
      try {
        requireSound(path, families);
        if (database.isOrderedInJava()) {
          FileOrder.require(database);
        }
      } catch (IllegalStateException e) {
        database.stop(e.getMessage(), e.getCause());
        database.close();
        throw e;
      }
      FlightRecords.opened(database.name(), began);
      return database;
    }
  }

  /** Nothing of what was read back may stay where a comparator has thrown over it. */
  private static void requireSound(String path, SequencedMap<String, NativeOptions> families) {
    families.values().forEach(options -> options.requireSound(path));
  }

  /** The names of a database's column families. */
  public static List<String> families(String path) {
    try (Arena arena = Arena.ofConfined();
        NativeOptions options = NativeOptions.defaults()) {
      MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment list =
          RocksDbC.rocksdb_list_column_families(options.pointer(), Memory.string(path, arena), count, error);
      Status.check(error, message -> OpeningAdvice.on(message, "listing the column families of " + path));
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

  /** Deletes a database's files. */
  public static void destroy(String path) {
    try (Arena arena = Arena.ofConfined();
        NativeOptions options = NativeOptions.defaults()) {
      MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
      RocksDbC.rocksdb_destroy_db(options.pointer(), Memory.string(path, arena), error);
      Status.check(error, message -> OpeningAdvice.on(message, "destroying " + path));
    }
  }
}
