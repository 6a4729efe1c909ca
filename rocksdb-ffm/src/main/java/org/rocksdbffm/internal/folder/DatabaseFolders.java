/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.folder.FolderClaim.Use;

/**
 * The folders of a database: the database folder, and the folders that its options name for tables, the WAL ({@code
 * wal_dir}) and the info log ({@code db_log_dir}). RocksDB deletes all unknown tables in these folders, and takes all
 * WAL files there for the database's. It does not record which folders contain tables. So a file in each table or WAL
 * folder names its database, and a file in the database folder lists the table folders.
 *
 * <p>The OPTIONS file of a copy names the WAL folder of its original. A copy is recognized by its missing {@code LOCK}
 * file, which the engine creates when it opens a database for writing.
 */
public final class DatabaseFolders {
  private static final String LIST = "PATHS";
  private static final String CURRENT = "CURRENT";

  private final Path database;
  private final boolean isThere;
  private final FolderClaim claim; // null: nothing may be written
  private final List<Path> listed;

  /** The kinds of folders other than the database folder. */
  private enum Kind {
    TABLES("the tables", "two databases in one folder would delete each other's tables: name another one"),
    LOGS(
        "the log",
        "each of two databases would take the other's rows: name another wal_dir, or none (DatabaseOptions.replaceWalDir())"),
    MESSAGES("files", "its tables would be deleted: name another db_log_dir");

    private final String contents;
    private final String advice;

    Kind(String contents, String advice) {
      this.contents = contents;
      this.advice = advice;
    }
  }

  /**
   * The folders that options name.
   *
   * @param tables the table folders; empty for the database folder
   * @param logs the WAL folder; may be the database folder
   * @param messages the info log folder; may be the database folder
   */
  public record Named(List<Path> tables, Path logs, Path messages) {}

  private DatabaseFolders(Path database, FolderClaim claim) throws IOException {
    this.database = database;
    this.claim = claim;
    this.isThere = FolderFiles.file(database, CURRENT).exists();
    this.listed = listed(database);
  }

  /**
   * Claims all folders of a database that is being opened, or throws.
   *
   * @param isForReading whether the database is opened read-only
   */
  public static FolderClaim claim(Path database, Named named, boolean isForReading) throws IOException {
    FolderClaim claim = new FolderClaim("opening " + database);
    try {
      BackupFolders.requireNone(database);
      if (!isForReading) {
        requireNothingLeftOf(database);
        requireNotOfAnother(database);
      }
      try {
        (isForReading ? claim : claim.make(database)).take(database, isForReading ? Use.READ : Use.WRITE);
      } catch (IOException e) {
        if (!isForReading && !FolderPath.isSame(database, named.messages)) { // otherwise the engine creates it
          throw Refused.io(
              e.getMessage(), "the folder cannot be made or used: its parent is not there, the path leads to no folder, or this process may not");
        }
        return claim; // the engine reports why it cannot be opened
      }
      DatabaseFolders folders = new DatabaseFolders(database, isForReading ? null : claim);
      folders.requireGiven(named.tables);
      folders.claimTables(named.tables);
      if (!isForReading || !LogFolder.isMovedWith(named.logs, database)) {
        folders.claimLogs(named.logs);
      }
      if (!isAmong(List.of(database, named.logs), named.messages) && !isAmong(named.tables, named.messages)) {
        folders.require(Kind.MESSAGES, named.messages);
        (isForReading ? claim : claim.make(named.messages)).take(named.messages, Use.SHARE);
      }
      return claim;
    } catch (Throwable e) {
      claim.undo(database);
      throw e;
    }
  }

  /**
   * Refuses a folder that has lost its CURRENT file: if the engine may create a database, it takes such a folder for an
   * empty one, at the second attempt at the latest, and deletes the files in it.
   */
  private static void requireNothingLeftOf(Path database) throws Refused {
    String file = StoredDatabase.leftOver(database);
    if (file != null) {
      throw Refused.damage(
          "the file CURRENT is missing, but there is " + file, OpenErrorHints.CURRENT_LOST.advice());
    }
  }

  /** Claims folders for a family that is added to an open database. */
  public static FolderClaim add(Path database, List<Path> tables, FolderClaim claim) throws IOException {
    new DatabaseFolders(database, claim).claimTables(tables);
    return claim;
  }

  /** Refuses to repair a folder that belongs to another database, or whose WAL does. */
  static void requireRepairable(Path database, Path logs) throws IOException {
    BackupFolders.requireNone(database);
    requireNotOfAnother(database);
    new DatabaseFolders(database, null).claimLogs(logs);
  }

  /**
   * Refuses a folder in which a database deletes unknown files.
   *
   * @param tried the operation, for the error message
   */
  public static void requireNone(Path folder, String tried, String advice) throws IOException {
    Refused.settled(tried, () -> {
      BackupFolders.requireOutside(folder);
      return null;
    });
    if (OwnerFile.isIn(folder) || FolderFiles.file(folder, CURRENT).exists()) {
      throw Status.parse(
          "Invalid argument: " + folder + " is the folder of a database, which deletes files that it does not know",
          tried + ": " + advice);
    }
    FolderClaim.requireUnwritten(folder, tried);
  }

  /** Whether a folder contains tables or WAL files of a database that is in another folder. */
  public static boolean isBeside(Path folder) {
    return OwnerFile.isIn(folder);
  }

  /** Returns the table folders of the last opening that belong to the database. */
  static List<Path> owned(Path database) throws IOException {
    List<Path> owned = new ArrayList<>();
    for (Path folder : listed(database)) {
      if (OwnerFile.isOf(folder, database)) {
        owned.add(folder);
      }
    }
    return owned;
  }

  /** Returns the table folders other than the database folder: the given ones, and the ones of earlier openings. */
  static List<Path> beside(Path database, List<Path> given) throws IOException {
    Set<Path> folders = new LinkedHashSet<>(given);
    folders.addAll(listed(database));
    List<Path> beside = new ArrayList<>();
    for (Path folder : folders) {
      if (!FolderPath.isSame(folder, database)) {
        beside.add(folder);
      }
    }
    return beside;
  }

  /** Releases the ownership of folders, and deletes the empty ones. */
  static void giveUp(Path database, List<Path> owned) throws IOException {
    for (Path folder : owned) {
      OwnerFile.delete(folder);
      OwnerFile.deleteIfEmpty(folder);
    }
    Files.deleteIfExists(database.resolve(LIST));
    OwnerFile.deleteIfEmpty(database);
  }

  /** Refuses a folder that another database owns, because that database deletes unknown files in it. */
  private static void requireNotOfAnother(Path database) throws IOException {
    if (OwnerFile.isIn(database) && !FolderFiles.file(database, CURRENT).exists()) {
      throw Refused.argument(
          database + " is a folder of the tables or logs of the database in " + OwnerFile.read(database),
          "that one would delete the files of a database that is made here: name another folder; or, if that database is gone, "
              + "delete the file " + OwnerFile.in(database));
    }
  }

  private void requireGiven(List<Path> tables) throws IOException {
    for (Path folder : listed) {
      if (!isAmong(tables, folder) && !FolderPath.isSame(folder, database) && hasTables(folder) && !isOfAnother(folder)) {
        throw Refused.argument(
            "the database has tables in " + folder + " too, and is opened without that",
            "set FamilyOptions.paths to the folders that it was written with, in their order: " + listed);
      }
    }
  }

  /**
   * Whether a listed folder belongs to another database: to the database from which this one was copied, or to a
   * database that was created there later.
   */
  private boolean isOfAnother(Path folder) throws IOException {
    Path owner = FolderFiles.file(folder, CURRENT).exists() ? folder : OwnerFile.read(folder);
    return owner != null && !FolderPath.isSame(owner, database) && FolderFiles.file(owner, CURRENT).exists();
  }

  private void claimTables(List<Path> tables) throws IOException {
    for (Path folder : tables) {
      if (!FolderPath.isSame(folder, database)) {
        require(Kind.TABLES, folder);
        own(Kind.TABLES, folder);
      }
    }
    if (claim != null) {
      list(tables);
    }
  }

  private void claimLogs(Path logs) throws IOException {
    if (FolderPath.isSame(logs, database)) {
      return;
    }
    Path owner = require(Kind.LOGS, logs);
    if (isThere) {
      requireOwnLogsAreRead(logs);
    }
    if (!FolderFiles.in(logs).logs.isEmpty()) {
      requireOwnLogs(logs, owner);
    }
    own(Kind.LOGS, logs);
  }

  /** Refuses a folder of another database; returns its recorded owner, or null if absent. */
  private Path require(Kind kind, Path folder) throws IOException {
    BackupFolders.requireNone(folder);
    Path owner = OwnerFile.read(folder);
    if (owner != null && !FolderPath.isSame(owner, database)) {
      boolean isGone = kind == Kind.LOGS && !FolderFiles.file(owner, CURRENT).exists();
      throw Refused.argument(
          folder + " has " + kind.contents + " of the database in " + owner,
          kind.advice + "; or, if that database was moved here, " + toWrite(folder)
              + (isGone
                  ? "; or, as there is none there now: delete the logs and the file " + OwnerFile.in(folder) + ", to do without their rows"
                  : ""));
    }
    if (FolderFiles.file(folder, CURRENT).exists()) {
      throw Refused.argument(folder + " is the folder of another database", kind.advice);
    }
    if (owner == null && hasTables(folder) && !(kind == Kind.TABLES && isAmong(listed, folder))) {
      throw Refused.argument(
          folder + " has tables, and it is not known of which database",
          "this one would delete those that it does not know: name another folder; or, if they are its own, " + toWrite(folder));
    }
    return owner;
  }

  private void requireOwnLogs(Path logs, Path owner) throws IOException {
    Path stored = OptionsFile.logFolder(database, FolderFiles.in(database));
    if (owner == null && (stored == null || !FolderPath.isSame(stored, logs))) {
      throw Refused.argument(
          logs + " has logs, and it is not known of which database",
          "this one would take their rows and delete them: name another wal_dir; or, if they are its own, " + toWrite(logs));
    }
    if (isThere && !StoredDatabase.hasBeenWritten(database)) {
      throw Refused.argument(
          "the database in " + database + " was never opened in its folder, as a copy was not, and " + logs
              + " has logs, which are its original's",
          "name another wal_dir, or none (DatabaseOptions.replaceWalDir()); delete them if their database is gone; or, if "
              + "they are this one's own, move them to " + database + ", and open it there");
    }
    if (claim != null && !isThere) {
      throw Refused.argument(
          logs + " has logs of a database that is gone from " + database,
          "a new one would take their rows: put the files of that database back; or delete the logs, or name another wal_dir");
    }
  }

  private String toWrite(Path folder) throws IOException {
    return "write the line " + OwnerFile.line(folder, database) + " into the file " + OwnerFile.in(folder);
  }

  /** Refuses a WAL folder for a copy whose WAL is in its own folder, where the engine would ignore it. */
  private void requireOwnLogsAreRead(Path logs) throws IOException {
    FolderFiles files = FolderFiles.in(database);
    Path stored = files.logs.isEmpty() ? null : OptionsFile.logFolder(database, files);
    Manifest manifest = stored == null || FolderPath.isSame(stored, database) ? null : Manifest.read(database);
    Path log = manifest == null ? null : FolderFiles.logWithRows(database, manifest.firstLog());
    if (log != null) {
      throw Refused.argument(
          "the database is a copy, and its newest rows are in " + log + ", and it is opened with its logs in " + logs,
          "open it without wal_dir first (DatabaseOptions.replaceWalDir()), and flush it (RocksDb.flushAll)");
    }
  }

  /** Claims a folder without an owner, and writes the owner file. */
  private void own(Kind kind, Path folder) throws IOException {
    if (claim == null) {
      return;
    }
    claim.make(folder).take(folder, Use.WRITE);
    if (!OwnerFile.isIn(folder)) {
      try {
        OwnerFile.write(folder, database);
        claim.made(OwnerFile.in(folder));
      } catch (FileAlreadyExistsException another) {
        require(kind, folder);
      }
    }
  }

  /** Adds folders to the list; folders are never removed while the database exists. */
  private void list(List<Path> tables) throws IOException {
    Set<Path> all = new LinkedHashSet<>(listed);
    if (!all.addAll(tables)) {
      return;
    }
    Path file = database.resolve(LIST);
    if (!Files.exists(file)) {
      claim.made(file);
    }
    Path next = database.resolve(LIST + ".tmp");
    Files.write(next, all.stream().map(folder -> folder.toUri().toString()).toList());
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isAmong(List<Path> folders, Path folder) throws IOException {
    for (Path each : folders) {
      if (FolderPath.isSame(each, folder)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasTables(Path folder) throws IOException {
    FolderFiles files = FolderFiles.in(folder);
    return !files.tables.isEmpty() || !files.blobs.isEmpty();
  }

  private static List<Path> listed(Path database) throws IOException {
    List<Path> listed = new ArrayList<>();
    Path file = database.resolve(LIST);
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      try {
        listed.add(Path.of(URI.create(line)));
      } catch (IllegalArgumentException | FileSystemNotFoundException e) {
        throw new IOException(file + " has no path: " + line);
      }
    }
    return listed;
  }
}
