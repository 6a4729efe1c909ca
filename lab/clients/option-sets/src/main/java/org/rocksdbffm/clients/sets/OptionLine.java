/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients.sets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A line of the table of option sets, with the lines that are indented below it. */
record OptionLine(String text, List<OptionLine> below) {
  private static final String ASSIGNS = " = ";

  static List<OptionLine> parse(List<String> table) {
    List<String> lines = table.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    List<OptionLine> parsed = new ArrayList<>();
    for (int next = 0; next < lines.size(); ) {
      String line = lines.get(next++);
      int first = next;
      while (next < lines.size() && indent(lines.get(next)) > indent(line)) {
        next++;
      }
      String[] parts = line.strip().split("; ");
      Arrays.stream(parts, 0, parts.length - 1).forEach(part -> parsed.add(new OptionLine(part, List.of())));
      parsed.add(new OptionLine(parts[parts.length - 1], parse(lines.subList(first, next))));
    }
    return parsed;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  String name() {
    return text.split(ASSIGNS, 2)[0];
  }

  /** Returns the text after the name; empty if the line is only a name. */
  String value() {
    return text.contains(ASSIGNS) ? text.split(ASSIGNS, 2)[1] : "";
  }

  String textBelow() {
    return below.stream().map(line -> line.text() + "\n").collect(Collectors.joining());
  }
}
