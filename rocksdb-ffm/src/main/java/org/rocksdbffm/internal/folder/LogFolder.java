/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the WAL folder of a database for a reader, by the stored {@code wal_dir}. A reader deletes no WAL files, but
 * the OPTIONS file of a copy names the original's folder, so the stored folder is used only if its file {@code OWNER}
 * names the database.
 */
public final class LogFolder {
  private LogFolder() {}

  /** Returns the WAL folder that the newest OPTIONS file names; null if that is the database folder, or unknown. */
  public static Path stored(Path database) throws IOException {
    Path stored = OptionsFile.logFolder(database, FolderFiles.in(database));
    return stored == null || FolderPath.isSame(stored, database) ? null : stored;
  }

  /**
   * Whether a stored WAL folder belongs to another database, because this one is a copy. Older engines store the path
   * at which the database was created.
   */
  public static boolean isOfAnother(Path logs, Path database) throws IOException {
    Path owner = StoredDatabase.isIn(logs) || !StoredDatabase.hasBeenWritten(database) ? logs : OwnerFile.read(logs);
    return owner != null && !FolderPath.isSame(owner, database);
  }

  /**
   * Whether a database and its WAL folder have other paths than for the writer, but the same path relative to each
   * other, as with another mount point. A reader may not be able to write the new path to the OWNER file.
   */
  static boolean isMovedWith(Path logs, Path database) throws IOException {
    Path stored = stored(database);
    Path owner = stored == null || FolderPath.isSame(stored, logs) ? null : OwnerFile.read(logs);
    if (owner == null || !owner.getRoot().equals(stored.getRoot())) {
      return false;
    }
    return FolderPath.isSame(logs.resolve(stored.normalize().relativize(owner)), database);
  }

  /** Returns the folder in which a reader finds the WAL. Refuses a database whose WAL is in another, unknown folder. */
  public static Path toRead(Path database) throws IOException {
    Path stored = stored(database);
    if (stored == null || isOfAnother(stored, database)) {
      return database;
    }
    if (OwnerFile.isIn(stored)) {
      return stored;
    }
    Manifest manifest = Files.exists(stored) ? null : Manifest.read(database);
    if (manifest != null && !FolderFiles.in(database).logs.tailSet(manifest.firstLog()).isEmpty()) {
      return database; // moved after an older engine stored its path
    }
    throw Refused.argument(
        "the database had its logs in " + stored + ", and this process finds no file OWNER there that says so",
        "let it read that folder, or mount its disk; or set wal_dir to the folder of its logs; or, if this is a copy, "
            + "DatabaseOptions.replaceWalDir() opens it without them");
  }
}
