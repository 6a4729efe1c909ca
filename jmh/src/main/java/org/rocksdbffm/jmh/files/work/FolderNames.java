/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Generates names of folders. */
final class FolderNames {
  static final double MIB = 1 << 20;

  private final Path parent;
  private int made;

  FolderNames(Path parent) {
    this.parent = parent;
  }

  /** Returns a path that does not exist. */
  Path next() {
    return parent.resolve("made" + made++);
  }

  Path last() {
    return parent.resolve("made" + (made - 1));
  }

  static void delete(Path folder) throws IOException {
    List<Path> filesFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      filesFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : filesFirst) {
      Files.delete(file);
    }
  }
}
