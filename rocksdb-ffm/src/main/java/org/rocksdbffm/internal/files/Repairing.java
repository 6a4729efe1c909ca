/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.NativeFamily;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.FolderClaim;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.OpenErrorHints;
import org.rocksdbffm.internal.folder.Refused;
import org.rocksdbffm.internal.folder.RepairCheck;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.opening.DatabaseOpener;
import org.rocksdbffm.internal.opening.FamilyNames;
import org.rocksdbffm.internal.opening.Request;
import org.rocksdbffm.internal.options.DatabaseKind;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.upkeep.Compactions;
import org.rocksdbffm.internal.upkeep.FileWork;

/** Runs RocksDB's repair on a database that is not open. */
public final class Repairing {
  private static final int FORCE = 2; // the engine's number: also compacts files in the last level
  private static final int ANY_LEVEL = -1;

  private Repairing() {}

  /**
   * The files and batches that were not recovered.
   *
   * @param setAside the files, which are kept
   * @param skippedBatches the number of WAL batches that were not fully recovered, because they write to a family
   *     without a table
   */
  public record Outcome(List<Path> setAside, long skippedBatches) {}

  /**
   * Repairs a database.
   *
   * @param settings the settings of all families
   * @param options returns the options of all families for a WAL folder
   */
  public static Outcome run(FolderPath path, FamilySettings settings, Function<Path, NativeOptions> options) {
    String tried = "repairing ";
    RepairCheck check;
    List<Path> setAside;
    try (FolderClaim claim = new FolderClaim(tried + path)) {
      check = check(path, settings, options, claim);
      try (Arena arena = Arena.ofConfined();
          NativeOptions nativeOptions = options.apply(check.logs().equals(path.path()) ? null : check.logs())) {
        StackRoom.requireForReentrance();
        MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
        RocksDbC.rocksdb_repair_db(nativeOptions.pointer(), Memory.string(path.real().bytes(), arena), error);
        OpenErrorHints.check(error, tried + path);
        nativeOptions.requireSound(path.toString());
      }
      setAside = Refused.settled(tried + path, check::setAside);
    }
    try {
      putInOrder(path, () -> options.apply(check.logs().equals(path.path()) ? null : check.logs()));
    } catch (RocksDbException e) {
      throw Status.parse(
          e.getMessage(),
          tried + path + ": it is repaired, but older values may hide newer ones until each of its column families is "
              + "compacted (KeySpace.compact, KeyRange.all())");
    }
    return new Outcome(setAside, check.skippedBatches());
  }

  /**
   * Compacts families whose tables were on several levels: they are all on level 0 now, where a get searches tables
   * from the newest row on, and returns the first value it finds. A table with a newer row of another key may contain
   * an older value of the key. A compaction compares the age of each row.
   */
  private static void putInOrder(FolderPath path, Supplier<NativeOptions> options) {
    try (Request request = new Request(path, DatabaseKind.PLAIN, Map.of(), options.get())) {
      for (String name : FamilyNames.in(path)) {
        if (!name.equals(NativeFamily.DEFAULT)) {
          request.add(name, request.own(options.get()));
        }
      }
      Database database = DatabaseOpener.open(request);
      try {
        for (NativeFamily family : mixed(database)) {
          Compactions.compact(family, null, null, true, FORCE, ANY_LEVEL, 0);
        }
        for (NativeFamily family : mixed(database)) {
          Status.fail("Not implemented: its style of compaction leaves the tables as they are", family.handle().name());
        }
      } finally {
        database.close();
      }
    }
  }

  private static List<NativeFamily> mixed(Database database) {
    Map<String, List<FileWork.Live>> files = FileWork.live(database).stream().collect(Collectors.groupingBy(FileWork.Live::family));
    return database.families().stream().filter(family -> isMixed(files.getOrDefault(family.name(), List.of()))).toList();
  }

  /** Whether the sequence numbers of two tables on level 0 overlap. */
  private static boolean isMixed(List<FileWork.Live> files) {
    List<FileWork.Live> unordered = files.stream().filter(file -> file.level() == 0).toList();
    for (FileWork.Live a : unordered) {
      for (FileWork.Live b : unordered) {
        boolean areOfLastLevel = a.lastSequence() == 0 && b.lastSequence() == 0; // no common keys
        if (a != b
            && !areOfLastLevel
            && a.firstSequence() <= b.lastSequence()
            && b.firstSequence() <= a.lastSequence()) {
          return true;
        }
      }
    }
    return false;
  }

  private static RepairCheck check(
      FolderPath path, FamilySettings settings, Function<Path, NativeOptions> options, FolderClaim claim) {
    try (NativeOptions nativeOptions = options.apply(null)) {
      return Refused.settled(
          "repairing " + path,
          () ->
              RepairCheck.of(
                  path.path(), settings, nativeOptions.comparatorInJava(), nativeOptions.paths(), claim));
    }
  }
}
