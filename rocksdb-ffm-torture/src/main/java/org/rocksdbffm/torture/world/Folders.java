/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders for databases of which only what they answer counts, in memory where the system has such a place. */
public final class Folders {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  private Folders() {}

  /** A new one; whoever asks deletes it. */
  public static Path create() throws IOException {
    return Files.isWritable(IN_MEMORY)
        ? Files.createTempDirectory(IN_MEMORY, "torture")
        : Files.createTempDirectory("torture");
  }

  /** With all that is in it. */
  public static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(file);
        }
      }
    }
  }
}
