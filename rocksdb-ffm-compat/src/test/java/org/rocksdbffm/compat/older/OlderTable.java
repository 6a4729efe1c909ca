/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.older;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of members of older releases, as the build reads it. */
final class OlderTable {
  /** The releases with which the drop-in is compared, from the oldest. */
  static final List<String> RELEASES = List.of("7.0.3", "7.2.2", "8.8.1", "9.9.3", "10.2.1");

  static final String UPSTREAM = "11.8.1";

  private static final Path FILE = Path.of("src/main/routes/older.members");

  private OlderTable() {}

  /** A member by class, name and descriptor, the last release that had it, and its implementation. */
  record Row(String type, List<String> modifiers, String name, String descriptor, String release, List<String> fate) {
    String key() {
      return type + "." + name + " " + descriptor;
    }

    String kind() {
      return fate.getFirst();
    }

    Class<?> owner() {
      try {
        return Class.forName(type);
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }

    boolean isIn(String older) {
      return RELEASES.indexOf(older) <= RELEASES.indexOf(release);
    }
  }

  static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    String type = null;
    for (String line : lines()) {
      if (line.startsWith("[")) {
        type = line.substring(1, line.length() - 1);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        List<String> words = Arrays.asList(line.split("\\s+"));
        int release = 0;
        while (!RELEASES.contains(words.get(release))) {
          release++;
        }
        rows.add(
            new Row(
                type,
                words.subList(0, release - 2),
                words.get(release - 2),
                words.get(release - 1).replaceAll("<.*?>", ""),
                words.get(release),
                words.subList(release + 1, words.size())));
      }
    }
    return rows;
  }

  static List<Row> rows(String kind) {
    return rows().stream().filter(row -> row.kind().equals(kind)).toList();
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
