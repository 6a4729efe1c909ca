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
 * The file {@code OWNER} in a table or WAL folder outside of its database's folder: one line that names the database.
 * For a sub-folder of the database folder it is a relative path, so the database can be moved with it.
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

  /** Returns the real path of the database that a folder belongs to; null if it has no owner. */
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

  /** Whether a folder belongs to a database, and is not the database's own folder. */
  static boolean isOf(Path folder, Path database) throws IOException {
    Path owner = read(folder);
    return owner != null && FolderPath.isSame(owner, database) && !FolderPath.isSame(folder, database);
  }

  /** Returns the line for a folder of a database. */
  static String line(Path folder, Path database) throws IOException {
    Path own = FolderPath.real(database);
    Path real = FolderPath.real(folder);
    if (real.startsWith(own) && !real.equals(own)) {
      return (UP + "/").repeat(real.getNameCount() - own.getNameCount() - 1) + UP;
    }
    return own.toUri().toString();
  }

  /**
   * Creates the file atomically, with its whole line.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  static void write(Path folder, Path database) throws IOException {
    Path file = in(folder);
    Path next = folder.resolve(NAME + "." + ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId() + ".tmp");
    Files.deleteIfExists(next); // left by a process with the same id
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

  /** Creates the file by a hard link, which never replaces a file, if the file system supports links. */
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

  /** Deletes the file, and temporary files of interrupted processes. */
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
