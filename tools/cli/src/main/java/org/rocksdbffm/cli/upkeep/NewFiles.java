/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.upkeep;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The new files in folders since a point in time, to show the progress of a call of the engine. */
final class NewFiles {
  private final List<Path> folders;
  private final Set<String> before;

  NewFiles(Path... folders) {
    this.folders = List.of(folders);
    before = files().map(File::getName).collect(Collectors.toSet());
  }

  private Stream<File> files() {
    return folders.stream().map(folder -> folder.toFile().listFiles())
        .flatMap(files -> files == null ? Stream.of() : Stream.of(files));
  }

  long bytes() {
    return files().filter(file -> !before.contains(file.getName())).mapToLong(File::length).sum();
  }
}
