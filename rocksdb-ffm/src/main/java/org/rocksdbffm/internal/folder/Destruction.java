/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.settings.TablePaths;

/**
 * The checks before the engine deletes a database, and the look for leftovers after. The engine deletes all files that
 * have names of its own, whoever made them, and looks into two kinds of folders below, wherever they are.
 */
public final class Destruction {
  private static final String ARCHIVE = "archive"; // of logs
  private static final String INNER_DATABASE = "METADB-";

  private final Path folder;
  private final Path logs; // elsewhere; or null
  private final boolean ownsLogs; // or they are not known to be its own, and stay
  private final TableFolders tables;

  private Destruction(Path folder, Path logs) throws IOException, Refused {
    this.folder = folder;
    this.logs = logs;
    this.ownsLogs =
        logs != null && LogFolder.isOwned(folder, logs) && !FolderFiles.file(logs, "CURRENT").exists();
    this.tables = TableFolders.of(folder);
  }

  /** Refuses a folder of something else, and one that leads to others; null if there is nothing to destroy. */
  public static Destruction of(Path folder) throws Refused {
    try {
      if (!Files.isDirectory(folder)) {
        return Files.exists(folder) ? new Destruction(folder, null) : null; // the engine tells of a file
      }
      FolderFiles files = FolderFiles.in(folder);
      if (Manifest.currentName(folder) == null && !files.hasManifest() && !files.hasOptions()) {
        throw Refused.argument(
            "there is no database in " + folder + ", which has neither CURRENT nor a MANIFEST or OPTIONS file",
            "nothing was deleted");
      }
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        for (Path entry : entries) {
          String name = entry.getFileName().toString();
          if ((name.equals(ARCHIVE) || name.startsWith(INNER_DATABASE)) && Files.isSymbolicLink(entry)) {
            throw Refused.argument(
                entry + " is a symbolic link, and files behind it would be deleted",
                "nothing was deleted; remove the link, and what is behind it by hand");
          }
        }
      }
      return new Destruction(folder, logsElsewhere(folder, files));
    } catch (DirectoryIteratorException e) {
      throw Refused.io(e.getCause());
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }

  private static Path logsElsewhere(Path folder, FolderFiles files) {
    if (!files.hasOptions()) {
      return null;
    }
    try {
      OptionsFile options =
          OptionsFile.read(folder.resolve(files.newestOptionsName()), StoredDatabase.WAL_DIR::equals);
      String logs = options.database().getOrDefault(StoredDatabase.WAL_DIR, "");
      return logs.isEmpty() || Path.of(logs).equals(folder) ? null : Path.of(logs).toAbsolutePath();
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  /** The folders beside that of the database in which its tables are. */
  public TablePaths tableFolders() {
    return new TablePaths(
        tables.folders().stream().map(FolderPath::of).map(its -> new TablePaths.Place(its.path(), its.bytes(), 0)).toList());
  }

  /** The folder of logs elsewhere that are deleted too; null if there is none that belongs to the database. */
  public Path ownedLogs() {
    return ownsLogs ? logs : null;
  }

  /** Says that the folders of tables and logs are nobody's, when those are deleted. */
  public void giveUpFolders() throws Refused {
    try {
      if (ownsLogs) {
        OwnerFile.delete(logs);
        OwnerFile.deleteIfEmpty(logs);
      }
      tables.giveUp();
      OwnerFile.deleteIfEmpty(folder);
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }

  /** The files that are left in the folder, and in those of tables, and the logs that are left elsewhere. */
  public List<Path> left() throws Refused {
    List<Path> left = new ArrayList<>();
    try {
      for (Path its : tables.folders()) {
        if (!its.equals(folder) && Files.isDirectory(its)) {
          try (DirectoryStream<Path> entries = Files.newDirectoryStream(its)) {
            entries.forEach(left::add);
          }
        }
      }
      if (ownsLogs && !tables.folders().contains(logs) && Files.isDirectory(logs)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(logs)) {
          entries.forEach(left::add);
        }
      }
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
          entries.forEach(left::add);
        }
      }
      if (logs != null && !ownsLogs && Files.isDirectory(logs) && !FolderFiles.file(logs, "CURRENT").exists()) {
        FolderFiles.Numbers its = FolderFiles.in(logs).logs();
        for (int i = 0; i < its.count(); i++) {
          left.add(logs.resolve(FolderFiles.logName(its.get(i))));
        }
      }
      return List.copyOf(left);
    } catch (DirectoryIteratorException e) {
      throw Refused.io(e.getCause());
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }
}
