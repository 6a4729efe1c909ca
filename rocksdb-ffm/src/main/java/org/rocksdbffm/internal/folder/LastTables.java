/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.VersionEdit;

/**
 * The tables that the last record of a MANIFEST adds, in the order of their numbers.
 *
 * @param paths their expected paths
 * @param sizes their sizes in bytes
 */
public record LastTables(List<Path> paths, List<Long> sizes) {
  private static LastTables none() {
    return new LastTables(List.of(), List.of());
  }

  /**
   * Reads the tables of a database's last record; empty if the record adds none, or cannot be read completely.
   *
   * @param folder the database folder
   * @param tables the folder of new tables
   */
  public static LastTables of(Path folder, Path tables) throws IOException {
    String name = Manifest.currentName(folder);
    if (name == null) {
      return none();
    }
    VersionEdit[] last = new VersionEdit[1];
    try {
      LogEnd end = LogRecords.read(
          folder.resolve(name),
          FolderFiles.manifestNumber(name),
          (bytes, from, length) -> last[0] = VersionEdit.parse(bytes, from, length));
      if (!end.isOfFile()) {
        return none();
      }
    } catch (NoSuchFileException | Fields.Unreadable e) {
      return none();
    }
    return last[0] == null ? none() : of(tables, last[0]);
  }

  private static LastTables of(Path tables, VersionEdit edit) {
    edit.files.values().removeIf(size -> size == VersionEdit.NONE);
    return new LastTables(
        edit.files.keySet().stream().map(number -> tables.resolve(FolderFiles.padded(number) + ".sst")).toList(),
        List.copyOf(edit.files.values()));
  }

  /** Whether all of them are missing, and match these files in number and sizes. */
  public boolean lackAll(List<Path> files) throws IOException {
    if (files.isEmpty() || files.size() != paths.size()) {
      return false;
    }
    for (int i = 0; i < files.size(); i++) {
      if (Files.exists(paths.get(i)) || DatabaseFile.size(files.get(i)) != sizes.get(i)) {
        return false;
      }
    }
    return true;
  }
}
