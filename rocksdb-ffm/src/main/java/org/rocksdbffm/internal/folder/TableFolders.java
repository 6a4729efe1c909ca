/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The folders in which a database has tables, beside its own. The engine writes down nowhere which they are, and deletes
 * all tables there that it does not know: two databases with one folder would lose their rows. So a file in each folder
 * says whose it is, and a file in the folder of the database has the list.
 */
public final class TableFolders {
  private static final String LIST = "PATHS";

  private final Path database;
  private final List<Path> folders;

  // Of a claim, to be undone if nothing is opened with it.
  private final List<Path> created = new ArrayList<>();

  private TableFolders(Path database, List<Path> folders) {
    this.database = database;
    this.folders = folders;
  }

  /** Whether a folder is one of tables of some database. */
  public static boolean isOfTables(Path folder) {
    return OwnerFile.isIn(folder);
  }

  /** Those that a database had at its last opening and belong to it. */
  static TableFolders of(Path database) throws IOException, Refused {
    List<Path> owned = new ArrayList<>();
    for (Path folder : listed(database)) {
      if (OwnerFile.real(database).equals(OwnerFile.read(folder))) {
        owned.add(folder);
      }
    }
    return new TableFolders(database, owned);
  }

  /** The folders that a database has tables in beside its own: those that are given, and those of its openings. */
  static List<Path> beside(Path database, List<Path> given) throws IOException {
    Set<Path> folders = new LinkedHashSet<>(given);
    folders.addAll(listed(database));
    Path own = OwnerFile.real(database);
    List<Path> beside = new ArrayList<>();
    for (Path folder : folders) {
      if (!OwnerFile.real(folder).equals(own)) {
        beside.add(folder);
      }
    }
    return beside;
  }

  /**
   * Claims folders for a database that is opened with them, or refuses to.
   *
   * @param isForReading whether nothing is written
   */
  public static TableFolders claim(Path database, List<Path> folders, boolean isForReading) throws Refused {
    TableFolders claim = new TableFolders(database, folders);
    try {
      if (!isForReading) {
        requireNotOfAnother(database);
      }
      List<Path> listed = listed(database);
      if (!folders.isEmpty() || !listed.isEmpty()) {
        claim.requireAll(listed);
        claim.claimAll(isForReading);
        if (!isForReading) {
          claim.list(listed);
        }
      }
      return claim;
    } catch (IOException e) {
      claim.undo();
      throw Refused.io(e);
    }
  }

  /** Claims folders for a family that is added to a database, which is open. */
  public static void add(Path database, List<Path> folders) throws Refused {
    try {
      TableFolders claim = new TableFolders(database, folders);
      if (!folders.isEmpty()) {
        claim.claimAll(false);
        claim.list(listed(database));
      }
    } catch (IOException e) {
      throw Refused.io(e);
    }
  }

  /** The owner of a folder deletes all files there that it does not know. */
  private static void requireNotOfAnother(Path database) throws Refused, IOException {
    if (OwnerFile.isIn(database) && !FolderFiles.file(database, "CURRENT").exists()) {
      throw Refused.argument(
          database + " is a folder of the tables or logs of the database in " + OwnerFile.read(database),
          "that one would delete the files of a database that is made here: name another folder; or, if that database is gone, "
              + "delete the file " + OwnerFile.in(database));
    }
  }

  private void requireAll(List<Path> listed) throws Refused, IOException {
    Set<Path> given = new LinkedHashSet<>();
    for (Path folder : folders) {
      given.add(OwnerFile.real(folder));
    }
    for (Path folder : listed) {
      boolean isKnown = given.contains(OwnerFile.real(folder)) || OwnerFile.real(folder).equals(OwnerFile.real(database));
      if (!isKnown && hasTables(folder) && !isOfOriginal(folder)) {
        throw Refused.argument(
            "the database has tables in " + folder + " too, and is opened without that",
            "set Options.paths to the folders that it was written with, in their order: " + listed);
      }
    }
  }

  /** Whether a listed folder is that of another database, of which this one is a copy with folders of its own. */
  private boolean isOfOriginal(Path folder) throws Refused, IOException {
    Path owner = OwnerFile.read(folder);
    return owner != null && !owner.equals(OwnerFile.real(database)) && FolderFiles.file(owner, "CURRENT").exists();
  }

  private void claimAll(boolean isForReading) throws Refused, IOException {
    try {
      for (Path folder : folders) {
        if (!OwnerFile.real(folder).equals(OwnerFile.real(database))) {
          claim(folder, isForReading);
        }
      }
    } catch (Throwable e) {
      undo();
      throw e;
    }
  }

  private void claim(Path folder, boolean isForReading) throws Refused, IOException {
    Path owner = OwnerFile.read(folder);
    if (owner != null && !owner.equals(OwnerFile.real(database))) {
      throw Refused.argument(
          folder + " has the tables of the database in " + owner,
          "two databases in one folder would delete each other's tables: name another one; or, if that database was moved "
              + "here, delete the file " + OwnerFile.in(folder));
    }
    if (Files.exists(folder.resolve("CURRENT"))) {
      throw Refused.argument(
          folder + " is the folder of another database", "the two would delete each other's tables: name another folder");
    }
    if (owner != null) {
      return;
    }
    if (hasTables(folder) && !isListed(folder)) {
      throw Refused.argument(
          folder + " has tables, and it is not known of which database",
          "this one would delete those that it does not know; if they are its own, write the line " + OwnerFile.line(folder, database)
              + " into a file " + OwnerFile.in(folder));
    }
    if (!isForReading) {
      own(folder);
    }
  }

  private boolean isListed(Path folder) throws IOException {
    for (Path listed : listed(database)) {
      if (OwnerFile.real(listed).equals(OwnerFile.real(folder))) {
        return true;
      }
    }
    return false;
  }

  private void own(Path folder) throws Refused, IOException {
    make(database, folder, created);
    try {
      OwnerFile.write(folder, database);
      created.add(OwnerFile.in(folder));
    } catch (FileAlreadyExistsException another) {
      claim(folder, false);
    }
  }

  /** Makes a folder, and before it that of its database if it is in there. */
  static void make(Path database, Path folder, List<Path> created) throws IOException {
    boolean isInside = OwnerFile.real(folder).startsWith(OwnerFile.real(database));
    for (Path its : isInside ? List.of(database, folder) : List.of(folder)) {
      if (!Files.isDirectory(its)) {
        Files.createDirectory(its);
        created.add(its);
      }
    }
  }

  /** Adds the folders to the list, from which none goes while the database is there. */
  private void list(List<Path> listed) throws IOException {
    Set<Path> all = new LinkedHashSet<>(listed);
    all.addAll(folders);
    if (all.size() == listed.size()) {
      return;
    }
    if (!Files.isDirectory(database)) {
      Files.createDirectory(database);
      created.add(database);
    }
    StringBuilder lines = new StringBuilder();
    all.forEach(folder -> lines.append(folder.toUri()).append('\n'));
    Path file = database.resolve(LIST);
    if (!Files.exists(file)) {
      created.add(file);
    }
    Path next = database.resolve(LIST + ".tmp");
    Files.writeString(next, lines);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** For an opening that has failed: takes back what was made for it, but not where there is a database by now. */
  public void undo() {
    undo(database, created);
  }

  static void undo(Path database, List<Path> created) {
    if (Files.exists(database.resolve("CURRENT"))) {
      return;
    }
    for (Path made : created.reversed()) {
      try {
        Files.deleteIfExists(made);
      } catch (IOException e) {
        continue; // something else is in it
      }
    }
  }

  /** Absolute paths. */
  List<Path> folders() {
    return folders;
  }

  /** Gives the folders up, and deletes those that are empty. */
  void giveUp() throws IOException {
    for (Path folder : folders) {
      OwnerFile.delete(folder);
      OwnerFile.deleteIfEmpty(folder);
    }
    if (Files.deleteIfExists(database.resolve(LIST))) {
      OwnerFile.deleteIfEmpty(database);
    }
  }

  private static boolean hasTables(Path folder) throws IOException {
    FolderFiles files = FolderFiles.in(folder);
    return files.tables().count() > 0 || files.blobs().count() > 0;
  }

  private static List<Path> listed(Path database) throws IOException {
    List<Path> listed = new ArrayList<>();
    if (FolderFiles.file(database, LIST).exists()) {
      for (String line : Files.readAllLines(database.resolve(LIST))) {
        listed.add(path(database.resolve(LIST), line));
      }
    }
    return listed;
  }

  private static Path path(Path file, String line) throws IOException {
    try {
      return Path.of(URI.create(line));
    } catch (IllegalArgumentException | java.nio.file.FileSystemNotFoundException e) {
      throw new IOException(file + " has no path: " + line);
    }
  }
}
