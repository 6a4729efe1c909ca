/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.files.work.FileRow;

/**
 * The command line.
 *
 * @param rows to measure
 * @param forks the number of processes for each row and engine
 * @param quick whether to use an eighth of the data, and less time
 */
record FilesArguments(List<FileRow> rows, int forks, boolean quick) {
  static final String USAGE =
      "usage: ./bench files [ROW ...] [--forks N] [--quick]\nA ROW is a part of a name: "
          + Stream.of(FileRow.values()).map(FileRow::id).collect(Collectors.joining(", "));

  private static final int MOST_FORKS = 1000;
  private static final int FORKS = 5;
  private static final int QUICK_FORKS = 2;
  private static final int MIB = 1024;
  private static final int QUICK_MIB = 128;
  private static final int SHARE = 8;

  static FilesArguments parse(String... words) throws CommandLine.Mistake {
    CommandLine line = CommandLine.parse(Set.of("--quick"), Set.of("--forks"), words);
    boolean quick = line.has("--quick");
    return new FilesArguments(
        line.chosen("row", List.of(FileRow.values()), (row, name) -> row.id().contains(name)),
        line.number("--forks", quick ? QUICK_FORKS : FORKS, MOST_FORKS),
        quick);
  }

  /** Returns the size of a row's data in MiB. */
  int mib(FileRow row) {
    int whole = quick ? QUICK_MIB : MIB;
    return row.isOfWholeDatabase() ? whole : whole / SHARE;
  }

  double warmUpSeconds() {
    return quick ? 1 : 3;
  }

  double seconds() {
    return quick ? 1 : 5;
  }
}
