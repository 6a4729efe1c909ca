/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder in which a database has its logs, where that is not its own ({@code wal_dir}). The engine takes all logs there
 * for those of the database that it opens, writes their rows to its tables, and deletes them: two databases with one folder
 * would take each other's rows. So a file in the folder says whose it is.
 *
 * <p>The OPTIONS file of a copy names the folder of its original. A copy is told by the file {@code LOCK}, which the engine
 * makes when it opens a database for writing, and which neither a checkpoint nor a restored backup has.
 */
public final class LogFolder {
  private final Path database;
  private final Path logs;
  private final List<Path> created = new ArrayList<>(); // to be undone if nothing is opened

  private LogFolder(Path database, Path logs) {
    this.database = database;
    this.logs = logs;
  }

  /**
   * Claims a folder for a database that is opened with it, or refuses to.
   *
   * @param logs absolute; that of the database is its own
   * @param isForReading whether nothing is written
   */
  public static LogFolder claim(Path database, Path logs, boolean isForReading) throws Refused {
    LogFolder claim = new LogFolder(database, logs);
    try {
      if (claim.isElsewhere()) {
        claim.require();
        if (!isForReading) {
          claim.requireNoLogsOfAnotherTime();
          claim.own();
        }
      }
      return claim;
    } catch (IOException e) {
      claim.undo();
      throw Refused.io(e);
    } catch (Refused e) {
      claim.undo();
      throw e;
    }
  }

  /** Refuses logs that are not those of a database, which is to be repaired with them. */
  static void require(Path database, Path logs) throws Refused, IOException {
    LogFolder folder = new LogFolder(database, logs);
    if (folder.isElsewhere()) {
      folder.require();
    }
  }

  /** Whether a database that is not this one has the folder. */
  static boolean isOfAnother(Path database, Path logs) throws Refused, IOException {
    Path owner = OwnerFile.read(logs);
    return owner != null && !owner.equals(OwnerFile.real(database));
  }

  /** Whether this database has the folder, and another one than its own. */
  static boolean isOwned(Path database, Path logs) throws Refused, IOException {
    return !OwnerFile.real(logs).equals(OwnerFile.real(database)) && OwnerFile.real(database).equals(OwnerFile.read(logs));
  }

  private boolean isElsewhere() throws IOException {
    return !OwnerFile.real(logs).equals(OwnerFile.real(database));
  }

  private void require() throws Refused, IOException {
    Path owner = OwnerFile.read(logs);
    if (owner != null && !owner.equals(OwnerFile.real(database))) {
      throw ofAnother(owner);
    }
    if (FolderFiles.file(logs, "CURRENT").exists()) {
      throw Refused.argument(
          logs + " is the folder of another database", "its tables would be deleted: name another wal_dir");
    }
    FolderFiles there = FolderFiles.in(logs);
    if (owner == null && there.tables().count() + there.blobs().count() != 0) {
      throw Refused.argument(
          logs + " has tables, and it is not known of which database", "they would be deleted: name another wal_dir");
    }
    boolean isThere = FolderFiles.file(database, "CURRENT").exists();
    if (isThere) {
      requireOwnLogsAreRead();
    }
    if (there.logs().count() == 0) {
      return;
    }
    if (owner == null && !isStored()) {
      throw Refused.argument(
          logs + " has logs, and it is not known of which database",
          "this one would take their rows and delete them: name another wal_dir; or, if they are its own, " + toWrite());
    }
    if (isThere && !FolderFiles.file(database, "LOCK").exists()) {
      throw Refused.argument(
          "the database in " + database + " was never opened in its folder, as a copy was not, and " + logs
              + " has logs, which are its original's",
          "name another wal_dir, or none (Options.replaceStored(\"wal_dir\")); delete them if their database is gone; or, if "
              + "they are this one's own, move them to " + database + ", and open it there");
    }
  }

  private Refused ofAnother(Path owner) throws IOException {
    String gone =
        FolderFiles.file(owner, "CURRENT").exists()
            ? ""
            : "; or, as there is none there now: delete the logs and the file " + OwnerFile.in(logs) + ", to do without their rows";
    return Refused.argument(
        logs + " has the log of the database in " + owner,
        "each of two databases would take the other's rows: name another wal_dir, or none"
            + " (Options.replaceStored(\"wal_dir\")); or, if that database was moved here, "
            + toWrite() + gone);
  }

  private String toWrite() throws IOException {
    return "write the line " + OwnerFile.line(logs, database) + " into the file " + OwnerFile.in(logs);
  }

  /** A copy has its logs in its own folder, and an engine that looks for them elsewhere does without. */
  private void requireOwnLogsAreRead() throws Refused, IOException {
    FolderFiles files = FolderFiles.in(database);
    FolderFiles.Numbers its = files.logs();
    Path stored = its.count() == 0 ? null : stored(files);
    if (stored == null || OwnerFile.real(stored).equals(OwnerFile.real(database))) {
      return;
    }
    Manifest manifest = Manifest.read(database);
    for (int i = 0; i < its.count(); i++) {
      String name = FolderFiles.logName(its.get(i));
      if (manifest != null && its.get(i) >= manifest.firstLog() && FolderFiles.file(database, name).length() > 0) {
        throw Refused.argument(
            "the database is a copy, and its newest rows are in " + database.resolve(name)
                + ", and its logs are looked for in " + logs,
            "open it without wal_dir first (Options.replaceStored(\"wal_dir\")), and flush it (RocksDb.flushAll)");
      }
    }
  }

  /** A new database would begin with the rows of one that is gone. */
  private void requireNoLogsOfAnotherTime() throws Refused, IOException {
    if (!FolderFiles.file(database, "CURRENT").exists() && FolderFiles.in(logs).logs().count() != 0) {
      throw Refused.argument(
          logs + " has logs of a database that is gone from " + database,
          "a new one would take their rows: put the files of that database back; or delete the logs, or name another wal_dir");
    }
  }

  /** Whether the database was last opened with this folder. */
  private boolean isStored() throws IOException {
    Path stored = stored(FolderFiles.in(database));
    return stored != null && OwnerFile.real(stored).equals(OwnerFile.real(logs));
  }

  /** The folder that a database was last opened with; null if that is not known. */
  private Path stored(FolderFiles files) throws IOException {
    if (!files.hasOptions()) {
      return null;
    }
    try {
      String named =
          OptionsFile.read(database.resolve(files.newestOptionsName()), StoredDatabase.WAL_DIR::equals)
              .database()
              .getOrDefault(StoredDatabase.WAL_DIR, "");
      return named.isEmpty() ? database : Path.of(named).toAbsolutePath();
    } catch (NoSuchFileException | IllegalArgumentException unreadable) {
      return null;
    }
  }

  private void own() throws Refused, IOException {
    if (OwnerFile.isIn(logs)) {
      return;
    }
    TableFolders.make(database, logs, created);
    try {
      OwnerFile.write(logs, database);
      created.add(OwnerFile.in(logs));
    } catch (FileAlreadyExistsException another) {
      require();
    }
  }

  /** For an opening that has failed: takes back what was made for it, but not where there is a database by now. */
  public void undo() {
    TableFolders.undo(database, created);
  }
}
