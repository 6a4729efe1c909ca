/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.folder.FolderClaim.Use;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.settings.NativeOptions;
import org.rocksdbffm.internal.settings.TablePath;

/**
 * Deletes a database, with checks before and a list of the remaining files after. RocksDB deletes all files whose names
 * it uses, even if other programs created them, and searches two kinds of sub-folders, even behind links.
 */
public final class Destruction {
  private static final String ARCHIVE = "archive"; // of WAL files
  private static final String OF_ARCHIVER = "ARCHIVE";
  private static final String INNER_DATABASE = "METADB-";

  private final Path folder;
  private final Path logs; // the WAL folder if it is not the database folder, otherwise null
  private final boolean ownsLogs; // if false, the owner of the WAL files is unknown, and they are not deleted
  private final List<Path> tables; // in other folders

  private Destruction(Path folder, Path logs) throws IOException {
    this.folder = folder;
    this.logs = logs;
    this.ownsLogs = logs != null && OwnerFile.isOf(logs, folder) && !FolderFiles.file(logs, "CURRENT").exists();
    this.tables = DatabaseFolders.owned(folder);
  }

  /** Deletes a database's files; returns the files that are left. */
  public static List<Path> run(FolderPath path) {
    String tried = "destroying " + path;
    FolderPath real = path.real();
    try (FolderClaim claim = new FolderClaim(tried)) {
      Destruction destruction = Refused.settled(tried, () -> of(real.path(), claim));
      if (destruction == null) {
        return List.of();
      }
      try (Arena arena = Arena.ofConfined();
          NativeOptions options = NativeOptions.ofFiles(destruction.tableFolders(), destruction.ownsLogs ? destruction.logs : null)) {
        MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
        RocksDbC.rocksdb_destroy_db(options.pointer(), Memory.string(real.bytes(), arena), error);
        OpenErrorHints.check(error, tried);
      }
      return Refused.settled(tried, destruction::end);
    }
  }

  /**
   * Refuses a folder without a database, a folder with links to other folders, and a folder in use; returns null if
   * there is nothing to delete.
   */
  private static Destruction of(Path folder, FolderClaim claim) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Files.exists(folder) ? new Destruction(folder, null) : null; // the engine rejects a file
    }
    BackupFolders.requireNone(folder);
    claim.take(folder, Use.ALONE);
    FolderFiles files = FolderFiles.in(folder);
    if (Manifest.currentName(folder) == null && !files.hasManifest() && !files.hasOptions()) {
      throw Refused.argument(
          "there is no database in " + folder + ", which has neither CURRENT nor a MANIFEST or OPTIONS file",
          "nothing was deleted");
    }
    for (Path entry : entries(folder)) {
      String name = entry.getFileName().toString();
      if ((name.equals(ARCHIVE) || name.startsWith(INNER_DATABASE)) && Files.isSymbolicLink(entry)) {
        throw Refused.argument(
            entry + " is a symbolic link, and files behind it would be deleted",
            "nothing was deleted; remove the link, and what is behind it by hand");
      }
    }
    Path logs = OptionsFile.logFolder(folder, files);
    Destruction destruction = new Destruction(folder, logs == null || FolderPath.isSame(logs, folder) ? null : logs);
    for (Path beside : destruction.beside()) {
      claim.take(beside, Use.ALONE);
    }
    return destruction;
  }

  /** Returns the table folders other than the database folder. */
  private List<TablePath> tableFolders() {
    return tables.stream().map(FolderPath::of).map(path -> new TablePath(path.path(), path.bytes(), 0)).toList();
  }

  private Set<Path> beside() {
    Set<Path> beside = new LinkedHashSet<>(tables);
    if (ownsLogs) {
      beside.add(logs);
    }
    return beside;
  }

  /**
   * Releases the ownership of the table and WAL folders.
   *
   * @return the files that are left in the folders, and WAL files that are left in another folder
   */
  private List<Path> end() throws IOException {
    DatabaseFolders.giveUp(folder, List.copyOf(beside()));
    deleteOfArchiver();
    List<Path> left = new ArrayList<>();
    for (Path each : beside()) {
      left.addAll(entries(each));
    }
    left.addAll(entries(folder));
    if (logs != null && !ownsLogs && Files.isDirectory(logs) && !FolderFiles.file(logs, "CURRENT").exists()) {
      FolderFiles.in(logs).logs.forEach(log -> left.add(logs.resolve(FolderFiles.logName(log))));
    }
    return List.copyOf(left);
  }

  /** Deletes the files of an archiver, which the engine does not know, and then the folder if it is empty. */
  private void deleteOfArchiver() throws IOException {
    for (String name : List.of(OF_ARCHIVER, OF_ARCHIVER + ".tmp")) {
      if (Files.isRegularFile(folder.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(folder.resolve(name));
        if (FolderPath.entries(folder).isEmpty()) {
          Files.delete(folder);
        }
      }
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    return Files.isDirectory(folder) ? FolderPath.entries(folder) : List.of();
  }
}
