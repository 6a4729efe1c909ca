/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that is made if it is not there; the one above it must be. */
public final class NewFolder {
  private NewFolder() {}

  /** Returns its real path. */
  public static Path at(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder);
      keepName(folder);
    }
    return folder.toRealPath();
  }

  /** Waits until the disk has its name; the next attempt makes the folder anew where that fails. */
  private static void keepName(Path folder) throws IOException {
    try {
      Uninterrupted.sync(folder.toRealPath().getParent());
    } catch (IOException e) {
      Files.deleteIfExists(folder);
      throw e;
    }
  }
}
