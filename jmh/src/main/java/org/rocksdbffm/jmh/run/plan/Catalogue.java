/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All rows that can be measured, from the table {@code rows.txt}. */
public final class Catalogue {
  private static final String LETS = "\\w+ = [\\d,]+";

  private Catalogue() {}

  public static List<PlannedRow> rows() {
    Map<String, String> lists = new HashMap<>();
    List<PlannedRow> rows = new ArrayList<>();
    for (String line : text().lines().filter(each -> !each.isBlank() && !each.startsWith("#")).toList()) {
      if (line.matches(LETS)) {
        lists.put(line.split(" = ")[0], line.split(" = ")[1]);
      } else {
        rows.add(PlannedRow.of(line, lists));
      }
    }
    return rows;
  }

  private static String text() {
    try (InputStream table = Catalogue.class.getResourceAsStream("rows.txt")) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
