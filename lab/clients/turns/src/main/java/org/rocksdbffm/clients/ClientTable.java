/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of clients in a page, between markers: a row for each client with equal output on both libraries. */
record ClientTable(Path page) {
  private static final Pattern TABLE =
      Pattern.compile(
          "(<!-- clients -->\n\\| client \\| version \\| rocksdbjni \\|\n\\|--\\|--\\|--\\|\n)(.*?)(<!-- end -->\n)",
          Pattern.DOTALL);

  /** Checks that the page has the row of these cells, or writes it. */
  void require(List<String> cells, boolean write) throws IOException {
    String row = "| " + String.join(" | ", cells) + " |";
    String text = Files.readString(page);
    Matcher table = table(text);
    List<String> rows = table.group(2).lines().toList();
    if (write) {
      TreeSet<String> written = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
      rows.stream().filter(other -> !other.startsWith("| " + cells.getFirst() + " |")).forEach(written::add);
      written.add(row);
      Files.writeString(
          page, text.substring(0, table.start(2)) + String.join("\n", written) + "\n" + text.substring(table.end(2)));
    } else if (!rows.contains(row)) {
      throw new AssertionError(page + " has not the row " + row + "; -Dclients.write=true writes it");
    }
  }

  /** Returns the names of the clients in the table. */
  Set<String> clients() throws IOException {
    return table(Files.readString(page))
        .group(2)
        .lines()
        .map(row -> row.split("\\|")[1].strip())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Matcher table(String text) {
    Matcher table = TABLE.matcher(text);
    if (!table.find()) {
      throw new AssertionError("no table of clients in " + page);
    }
    return table;
  }
}
