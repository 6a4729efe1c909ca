/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.ArrayList;
import java.util.List;
import org.rocksdbffm.internal.options.table.NearestName;
import org.rocksdbffm.internal.options.table.OptionTable;

/**
 * The properties of {@code property-table.txt}. The checks are needed because RocksDB crashes on a level that does not
 * exist, and does not distinguish a misspelt name from a property that is temporarily unavailable.
 */
public final class PropertyTable {
  private static final String LINES = OptionTable.read("property-table.txt");
  private static final String PREFIX = "rocksdb.";
  private static final int MOST_DIGITS = 9;

  private PropertyTable() {}

  /**
   * Checks the name of a property, with its argument.
   *
   * @param levels the number of levels of the column family
   * @throws IllegalArgumentException if there is no such property
   */
  public static void check(String name, int levels) {
    check(name, levels, false);
  }

  /**
   * Checks the name of a numeric property.
   *
   * @param levels the number of levels of the column family
   * @throws IllegalArgumentException if there is no such property, or it is a text
   */
  public static void checkNumber(String name, int levels) {
    check(name, levels, true);
  }

  private static void check(String name, int levels, boolean asNumber) {
    int end = name.length();
    while (end > 0 && name.charAt(end - 1) >= '0' && name.charAt(end - 1) <= '9') {
      end--;
    }
    String[] words = wordsOf(name.substring(0, end));
    String argument = name.substring(end);
    if (words.length == 0 || words.length == 2 && !argument.isEmpty()) {
      throw new IllegalArgumentException("property '" + name + "' is unknown" + NearestName.advice(name, names()));
    }
    if (asNumber && words[1].equals("text")) {
      throw new IllegalArgumentException("property '" + name + "' is a text: ask by property()");
    }
    if (words.length > 2) {
      requireArgument(name, argument, words[2].equals("level") ? levels : Integer.MAX_VALUE);
    }
  }

  private static void requireArgument(String name, String argument, int limit) {
    boolean right = !argument.isEmpty() && argument.length() <= MOST_DIGITS && Integer.parseInt(argument) < limit;
    if (!right) {
      String wanted = limit == Integer.MAX_VALUE ? "a number" : "the number of a level, from 0 to " + (limit - 1);
      throw new IllegalArgumentException("property '" + name + "' ends with " + wanted);
    }
  }

  /** Returns the words of the property's line; empty if there is no such property. */
  private static String[] wordsOf(String name) {
    int at = name.startsWith(PREFIX) && name.indexOf('\n') < 0 ? LINES.indexOf("\n" + name + " ") : -1;
    return at < 0 ? new String[0] : LINES.substring(at + 1, LINES.indexOf('\n', at + 1)).split(" ");
  }

  /** Returns all names, without arguments. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (int at = LINES.indexOf("\n" + PREFIX); at >= 0; at = LINES.indexOf("\n" + PREFIX, at + 1)) {
      names.add(LINES.substring(at + 1, LINES.indexOf(' ', at)));
    }
    return names;
  }
}
