/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes and copies folders. */
public final class Folders {
  private Folders() {}

  /** Deletes a folder with its contents. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /**
   * Copies the files of a folder, as a kill of the process would leave them, to a new one. Starts again if the engine
   * deletes a file during the copy.
   */
  public static void copy(Path folder, Path to) throws IOException {
    while (!isCopied(folder, to)) {
      delete(to);
    }
  }

  private static boolean isCopied(Path folder, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
      return true;
    } catch (NoSuchFileException deleted) {
      return false;
    }
  }
}
