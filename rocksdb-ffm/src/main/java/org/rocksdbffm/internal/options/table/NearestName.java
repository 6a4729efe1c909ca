/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that is nearest to a wrong one. */
public final class NearestName {
  private NearestName() {}

  /**
   * Returns the known name with the fewest letters to insert, remove or replace, or the shortest one that contains the
   * name.
   */
  public static Optional<String> of(String name, Collection<String> known) {
    Optional<String> nearest = known.stream()
        .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
        .filter(candidate -> distance(name, candidate) <= Math.max(2, name.length() / 2));
    String part = name.toLowerCase(Locale.ROOT);
    return nearest.isPresent() || name.length() < 3
        ? nearest
        : known.stream()
            .filter(candidate -> candidate.toLowerCase(Locale.ROOT).contains(part))
            .min(Comparator.comparingInt(String::length));
  }

  /** Returns a suggestion to append to an error message; empty if absent. */
  public static String advice(String name, Collection<String> known) {
    return of(name, known).map(match -> "; did you mean '" + match + "'?").orElse("");
  }

  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
