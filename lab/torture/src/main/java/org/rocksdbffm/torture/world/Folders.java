/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Temporary folders for databases that need not be durable, in memory if the system has a RAM disk. */
public final class Folders {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  private Folders() {}

  /** Creates a folder; the caller deletes it. */
  public static Path create() throws IOException {
    return Files.isWritable(IN_MEMORY)
        ? Files.createTempDirectory(IN_MEMORY, "torture")
        : Files.createTempDirectory("torture");
  }

  /** Deletes a folder with its contents. */
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
