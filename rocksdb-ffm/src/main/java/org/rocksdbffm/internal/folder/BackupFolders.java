/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses to create databases and copies in a backup folder, where the engine deletes files that belong to no backup.
 */
public final class BackupFolders {
  private static final Set<String> CLEARED = Set.of("meta", "private", "shared", "shared_checksum");
  private static final Pattern LIST = Pattern.compile("\\.?\\d+(\\.tmp)?"); // the name of a backup's list of files

  private BackupFolders() {}

  /** Refuses a folder of backups, and a path into one, for a database. */
  static void requireNone(Path folder) throws IOException {
    if (isOne(folder)) {
      throw refused(folder, folder);
    }
    requireOutside(folder);
  }

  /** Refuses a path into the folders that the engine clears. */
  public static void requireOutside(Path path) throws IOException {
    Path at = FolderPath.real(path);
    for (Path above = at.getParent(); above != null; above = above.getParent()) {
      if (CLEARED.contains(at.getFileName().toString()) && isOne(above)) {
        throw refused(path, above);
      }
      at = above;
    }
  }

  private static Refused refused(Path path, Path backups) {
    return Refused.argument(
        path + " belongs to the backups in " + backups + ": a database in it would damage them, or lose its files to them",
        "restore a backup to use it (Backups.restore), and name a folder elsewhere");
  }

  private static boolean isOne(Path folder) throws IOException {
    boolean hasTables = Files.isDirectory(folder.resolve("shared_checksum")) || Files.isDirectory(folder.resolve("shared"));
    return hasTables
        && Files.isDirectory(folder.resolve("private"))
        && Files.isDirectory(folder.resolve("meta"))
        && FolderPath.entries(folder.resolve("meta")).stream()
            .allMatch(list -> LIST.matcher(list.getFileName().toString()).matches());
  }
}
