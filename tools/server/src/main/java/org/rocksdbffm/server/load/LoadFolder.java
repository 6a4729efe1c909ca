/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is deleted, with its contents, when it is closed. */
public record LoadFolder(Path path) implements AutoCloseable {
  public static LoadFolder create() throws IOException {
    return new LoadFolder(Files.createTempDirectory("rocksdb-ffm-example-"));
  }

  @Override
  public void close() throws IOException {
    List<Path> filesFirst;
    try (Stream<Path> files = Files.walk(path)) {
      filesFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : filesFirst) {
      Files.delete(file);
    }
  }
}
