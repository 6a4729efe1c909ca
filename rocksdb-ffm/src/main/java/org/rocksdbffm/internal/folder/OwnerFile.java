/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file {@code OWNER} in a folder that a database has beside its own, for tables or logs: its line says whose the folder
 * is. For a folder in that of the database it says so by the way up, and so moves along with the database.
 */
final class OwnerFile {
  private static final String NAME = "OWNER";
  private static final String UP = "..";

  private OwnerFile() {}

  static Path in(Path folder) {
    return folder.resolve(NAME);
  }

  static boolean isIn(Path folder) {
    return Files.exists(in(folder));
  }

  /** The real path of the database that a folder belongs to; null if it is nobody's. */
  static Path read(Path folder) throws IOException {
    Path file = in(folder);
    if (!Files.exists(file)) {
      return null;
    }
    String line = Files.readString(file).strip();
    if (line.equals(UP) || line.startsWith(UP + "/")) {
      return FolderPath.real(FolderPath.real(folder).resolve(line));
    }
    try {
      return FolderPath.real(Path.of(URI.create(line)));
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw Refused.argument(
          "the file " + file + " does not say which database the folder is of, but '" + line + "'",
          "write the URI of the folder of that database into it");
    }
  }

  /** Whether a folder beside that of a database belongs to it. */
  static boolean isOf(Path folder, Path database) throws IOException {
    Path owner = read(folder);
    return owner != null && FolderPath.isSame(owner, database) && !FolderPath.isSame(folder, database);
  }

  /** The line for a folder of a database. */
  static String line(Path folder, Path database) throws IOException {
    Path own = FolderPath.real(database);
    Path its = FolderPath.real(folder);
    if (its.startsWith(own) && !its.equals(own)) {
      return (UP + "/").repeat(its.getNameCount() - own.getNameCount() - 1) + UP;
    }
    return own.toUri().toString();
  }

  /**
   * Writes the file, which has its whole line from the moment that it is there.
   *
   * @throws FileAlreadyExistsException if there is one by now
   */
  static void write(Path folder, Path database) throws IOException {
    Path file = in(folder);
    Path next = folder.resolve(NAME + "." + ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId() + ".tmp");
    Files.deleteIfExists(next); // of a process that had this number before
    try {
      Files.writeString(
          next,
          line(folder, database) + "\n",
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
      publish(next, file);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  /** By a link, which replaces nothing, where the file system has links. */
  private static void publish(Path next, Path file) throws IOException {
    try {
      Files.createLink(file, next);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file.toString());
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Deletes the file, with what is left of one that was just being written when the process ended. */
  static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Files.deleteIfExists(in(folder));
    try (DirectoryStream<Path> unfinished = Files.newDirectoryStream(folder, NAME + ".*.tmp")) {
      for (Path file : unfinished) {
        Files.deleteIfExists(file);
      }
    }
  }

  static void deleteIfEmpty(Path folder) throws IOException {
    String[] left = folder.toFile().list();
    if (left != null && left.length == 0) {
      Files.delete(folder);
    }
  }
}
