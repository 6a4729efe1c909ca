/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.internal.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.internal.options.table.OptionRow;
import org.rocksdbffm.internal.options.table.OptionTable;

class OptionsPageTest {
  private static final Path PAGE = Path.of("../docs/options.md");
  private static final String LIST = "## Values that are not supported, and why\n\n";
  private static final String HEAD = "| option | supported | why no more |\n|--|--|--|\n";

  /** After a change of the table, replace the end of the page by the list in the message. */
  @Test
  void thePageListsWhatTheTableGivesAReasonFor() throws IOException {
    String page = Files.readString(PAGE);
    assertEquals(HEAD + list(), page.substring(page.indexOf(LIST) + LIST.length()));
  }

  private static String list() {
    return OptionTable.lines().stream()
        .filter(line -> line.contains(" ! ") && !line.startsWith("#"))
        .map(OptionRow::of)
        .map(row -> "| `" + named(row) + "` | " + supported(row) + " | " + row.reason() + " |\n")
        .collect(Collectors.joining());
  }

  private static String named(OptionRow row) {
    return List.of("db", "cf", "table").contains(row.scope()) ? row.name() : row.scope() + ": " + row.name();
  }

  private static String supported(OptionRow row) {
    if (row.isUnsupported()) {
      return row.defaultValue().isEmpty() ? "nothing" : "`" + row.defaultValue() + "`";
    }
    return row.supported().replace("<", "&lt;");
  }
}
