/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** The root folder of this repository, in which the tests run. */
class Repository {
  static final Path ROOT = above(Path.of("").toAbsolutePath());

  private Repository() {}

  private static Path above(Path folder) {
    return Files.exists(folder.resolve(".mvn")) ? folder : above(folder.getParent());
  }
}
