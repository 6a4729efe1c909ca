/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.compat.support.Refusals;

/** The rows of refusals.txt, as cases of {@link RefusalProgram}. */
final class RefusalCases {
  private RefusalCases() {}

  /** Returns a case for each range of each row, with the value next to the accepted values. */
  static List<String> all() {
    List<String> cases = new ArrayList<>();
    for (Refusals.Row row : Refusals.read()) {
      String others = others(row);
      for (String values : row.values().split("\\|")) {
        int dots = values.indexOf("..");
        String value = dots < 0 ? values : dots == 0 ? values.substring(2) : values.substring(0, dots);
        cases.add(row.scope() + " " + row.name() + " " + value + others);
      }
    }
    return cases;
  }

  /** Returns other options that must be set for the row to apply. */
  private static String others(Refusals.Row row) {
    StringBuilder others = new StringBuilder();
    for (Refusals.Condition condition : row.conditions()) {
      if (condition.holdsIfSet()) {
        others.append(' ').append(condition.names().getFirst()).append('=').append(condition.word());
      }
    }
    return others.toString();
  }
}
