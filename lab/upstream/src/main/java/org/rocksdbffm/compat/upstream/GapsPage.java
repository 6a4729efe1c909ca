/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.upstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The results of upstream's tests that the page of gaps states. */
record GapsPage(int passed, int ignored, Set<String> failing) {
  private static final Pattern TOTALS = Pattern.compile("(\\d+) pass, (\\d+) are ignored");
  private static final Pattern TEST = Pattern.compile("(?m)^\\| `([A-Za-z]+(?:\\.\\w+(?:\\[[^`]*])?)?)` \\|");

  static GapsPage read(Path page) throws IOException {
    String text = Files.readString(page);
    String section = text.substring(text.indexOf("\n## Upstream's own tests\n"));
    Matcher totals = TOTALS.matcher(section);
    if (!totals.find()) {
      throw new IllegalStateException(page + " does not say how many tests pass and how many are ignored");
    }
    Set<String> failing = new TreeSet<>();
    TEST.matcher(section).results().forEach(row -> failing.add(row.group(1)));
    return new GapsPage(Integer.parseInt(totals.group(1)), Integer.parseInt(totals.group(2)), failing);
  }
}
