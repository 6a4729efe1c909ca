/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.upkeep.FileWork;

/**
 * A level of a column family, with the table files on it. Those of level 0 may have the same keys, the newest first; those
 * of another level are in the order of their keys, and have none in common.
 *
 * @param number of the level, from 0
 * @param size of all its files
 * @param files the table files
 */
public record LsmLevel(int number, ByteSize size, List<LiveFile> files) {
  /** Made by the library alone. */
  public LsmLevel {
    requireNonNull(size, "size");
    files = List.copyOf(requireNonNull(files, "files"));
  }

  static List<LsmLevel> of(List<List<FileWork.Live>> byLevel) {
    List<LsmLevel> levels = new ArrayList<>();
    for (List<FileWork.Live> files : byLevel) {
      long size = files.stream().mapToLong(FileWork.Live::size).sum();
      levels.add(new LsmLevel(levels.size(), ByteSize.bytes(size), files.stream().map(LiveFile::of).toList()));
    }
    return List.copyOf(levels);
  }
}
