/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The identity and state of a file. The states of two files with the same name and size differ, as do the states of a
 * file before and after a change.
 *
 * @param file the file's key, which no other file has at the same time; the time of creation on systems without keys
 * @param created the time of creation: a new file may get the key of a deleted file
 * @param modified the time of the last change, by the file system's clock, which may be coarse
 * @param size in bytes
 */
record FileState(Object file, FileTime created, FileTime modified, long size) {
  /** Returns the state of a file; null if it is missing or cannot be read. */
  static FileState of(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      Object key = attributes.fileKey() == null ? attributes.creationTime() : attributes.fileKey();
      return new FileState(key, attributes.creationTime(), attributes.lastModifiedTime(), attributes.size());
    } catch (IOException e) {
      return null;
    }
  }

  /** Compares the components; the JDK would make classes for that when the first database is opened read-only. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FileState state && parts().equals(state.parts());
  }

  @Override
  public int hashCode() {
    return parts().hashCode();
  }

  private List<Object> parts() {
    return Arrays.asList(file, created, modified, size);
  }

  /**
   * Returns the identity of a folder, with the time of its last renaming; null if the folder is missing. Between two
   * renamings, another folder may have been at its path. Renaming changes only the ctime; a new entry also changes the
   * time of modification.
   */
  static Object ofFolder(Path folder) {
    try {
      Map<String, Object> attributes = Files.readAttributes(folder, "unix:fileKey,ctime,lastModifiedTime");
      Object changed = attributes.get("ctime");
      return List.of(attributes.get("fileKey"), changed.equals(attributes.get("lastModifiedTime")) ? "" : changed);
    } catch (UnsupportedOperationException | IllegalArgumentException otherSystem) {
      FileState state = of(folder);
      return state == null ? null : state.file;
    } catch (IOException missing) {
      return null;
    }
  }
}
