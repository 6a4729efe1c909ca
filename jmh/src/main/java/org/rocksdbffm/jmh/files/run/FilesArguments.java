/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.files.run;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdbffm.jmh.files.work.FileRow;

/**
 * The command line.
 *
 * @param rows that are measured
 * @param forks how many processes of each engine a row has
 * @param quick whether there is an eighth of the data, and less time
 */
record FilesArguments(List<FileRow> rows, int forks, boolean quick) {
  static final String USAGE =
      "usage: ./bench files [ROW ...] [--forks N] [--quick]\nA ROW is a part of a name: "
          + String.join(", ", Stream.of(FileRow.values()).map(FileRow::id).toList());

  private static final int MOST_FORKS = 1000;
  private static final int FORKS = 5;
  private static final int QUICK_FORKS = 2;
  private static final int MIB = 1024;
  private static final int QUICK_MIB = 128;
  private static final int SHARE = 8;

  /** A command line that says nothing that can be done. */
  static final class Mistake extends Exception {
    private static final long serialVersionUID = 1;

    Mistake(String message) {
      super(message);
    }
  }

  static FilesArguments parse(String... words) throws Mistake {
    List<String> names = new ArrayList<>();
    int forks = 0;
    boolean quick = false;
    for (int i = 0; i < words.length; i++) {
      switch (words[i]) {
        case "--forks" -> forks = number(words, ++i);
        case "--quick" -> quick = true;
        default -> names.add(name(words[i]));
      }
    }
    List<FileRow> rows =
        Stream.of(FileRow.values())
            .filter(row -> names.isEmpty() || names.stream().anyMatch(row.id()::contains))
            .toList();
    return new FilesArguments(rows, forks > 0 ? forks : quick ? QUICK_FORKS : FORKS, quick);
  }

  private static String name(String word) throws Mistake {
    if (Stream.of(FileRow.values()).noneMatch(row -> row.id().contains(word))) {
      throw new Mistake((word.startsWith("-") ? "There is no option " : "There is no row ") + word);
    }
    return word;
  }

  private static int number(String[] words, int place) throws Mistake {
    try {
      int number = Integer.parseInt(place < words.length ? words[place] : "");
      if (number >= 1 && number <= MOST_FORKS) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new Mistake("--forks takes 1 to " + MOST_FORKS);
  }

  /** How much data a row is about. */
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
