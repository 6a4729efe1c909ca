/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Deletes folders that JUnit does not know. */
public final class Folders {
  private Folders() {}

  /** With all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
