/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.rocksdbffm.internal.format.DatabaseFile;
import org.rocksdbffm.internal.format.Fields;
import org.rocksdbffm.internal.format.LogEnd;
import org.rocksdbffm.internal.format.LogRecords;
import org.rocksdbffm.internal.format.VersionEdit;

/**
 * The tables that the last records of a MANIFEST add: in the order of the records, and then of their numbers.
 *
 * @param paths their expected paths
 * @param sizes their sizes in bytes
 */
public record LastTables(List<Path> paths, List<Long> sizes) {
  private static LastTables none() {
    return new LastTables(List.of(), List.of());
  }

  /**
   * Reads the tables of a database's last records; empty if there are fewer, or the last cannot be read completely.
   *
   * @param folder the database folder
   * @param tables the folders of new tables, one for each record
   */
  public static LastTables of(Path folder, List<Path> tables) throws IOException {
    String name = Manifest.currentName(folder);
    if (name == null) {
      return none();
    }
    Deque<VersionEdit> last = new ArrayDeque<>();
    try {
      LogEnd end = LogRecords.read(
          folder.resolve(name),
          FolderFiles.manifestNumber(name),
          (bytes, from, length) -> {
            last.add(VersionEdit.parse(bytes, from, length));
            if (last.size() > tables.size()) {
              last.remove();
            }
          });
      if (!end.isOfFile() || last.size() < tables.size()) {
        return none();
      }
    } catch (NoSuchFileException | Fields.Unreadable e) {
      return none();
    }
    List<Path> paths = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    for (Path folderOfNew : tables) {
      last.remove().files.forEach((number, size) -> {
        if (size != VersionEdit.NONE) {
          paths.add(folderOfNew.resolve(FolderFiles.padded(number) + ".sst"));
          sizes.add(size);
        }
      });
    }
    return new LastTables(List.copyOf(paths), List.copyOf(sizes));
  }

  /** Whether all these tables are missing, and {@code files} has the same number of files, of the same sizes. */
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
