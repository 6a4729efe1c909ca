/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.reopen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Copies folders with their contents. */
final class Trees {
  private Trees() {}

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          try {
            Files.copy(file, copy);
          } catch (NoSuchFileException e) {
            // the engine has deleted an obsolete file during the copy
          }
        }
      }
    }
  }
}
