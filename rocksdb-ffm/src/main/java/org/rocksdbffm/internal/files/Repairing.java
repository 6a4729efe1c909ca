/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.db.DatabaseOpener;
import org.rocksdbffm.internal.folder.FamilySettings;
import org.rocksdbffm.internal.folder.FolderPath;
import org.rocksdbffm.internal.folder.RepairCheck;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.foreign.StackRoom;
import org.rocksdbffm.internal.settings.NativeOptions;

/** The engine's repair of a database that is not open. */
public final class Repairing {
  private Repairing() {}

  /**
   * The files and batches that were not taken over.
   *
   * @param setAside files, which are kept
   * @param skippedBatches of the logs that were not taken over as a whole, because they write to a family without a table
   */
  public record Outcome(List<Path> setAside, long skippedBatches) {}

  /**
   * Repairs a database.
   *
   * @param settings of each family
   * @param options makes the options of all families, with a folder of the logs
   */
  public static Outcome run(FolderPath path, FamilySettings settings, Function<Path, NativeOptions> options) {
    String tried = "repairing ";
    DatabaseOpener.requireNotOpenHere(path, tried + path);
    RepairCheck check = DatabaseOpener.settled(path, tried, () -> RepairCheck.of(path.path(), settings, order(options)));
    try (FolderClaim _ = claim(path, tried + path);
        Arena arena = Arena.ofConfined();
        NativeOptions its = options.apply(check.logs().equals(path.path()) ? null : check.logs())) {
      StackRoom.requireForReentrance();
      MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
      RocksDbC.rocksdb_repair_db(its.pointer(), Memory.string(path.bytes(), arena), error);
      DatabaseOpener.checkOpening(error, tried + path);
      its.requireSound(path.toString());
    }
    return new Outcome(DatabaseOpener.settled(path, tried, check::setAside), check.skippedBatches());
  }

  private static String order(Function<Path, NativeOptions> options) {
    try (NativeOptions its = options.apply(null)) {
      return its.comparatorInJava();
    }
  }

  /** Two repairs of this process do not come in each other's way; the engine has a lock against other processes. */
  private static FolderClaim claim(FolderPath path, String tried) {
    try {
      return FolderClaim.within(path.path().toRealPath(), tried);
    } catch (IOException e) {
      throw Status.parse("IO error: " + e, tried);
    }
  }
}
