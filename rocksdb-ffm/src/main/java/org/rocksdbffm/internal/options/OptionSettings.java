/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.table.OptionRow;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;
import org.rocksdbffm.internal.options.table.UnsupportedValueException;

/**
 * The options that a user sets to open a database or family, as given.
 *
 * @param options database and column family options
 * @param table options of block-based tables
 */
public record OptionSettings(NamedValues options, NamedValues table) {
  /** No options. */
  public static final OptionSettings NONE = new OptionSettings(NamedValues.NONE, NamedValues.NONE);

  private static final String DOOR = ".unchecked sets it all the same, without this library's promises";

  /**
   * The other settings of the opening that the checks need.
   *
   * @param cache whether TableOptions or a memory budget provides the block cache
   * @param ordersInJava whether the comparator is a Java callback
   * @param mergesInJava whether the merge operator is a Java callback
   * @param kind the kind of database
   */
  public record Beside(boolean cache, boolean ordersInJava, boolean mergesInJava, DatabaseKind kind) {
    /** No other settings. */
    public static final Beside NOTHING = new Beside(false, false, false, DatabaseKind.PLAIN);
  }

  /**
   * Checks all options, and returns them in RocksDB's notation.
   *
   * @throws IllegalArgumentException if an option is unknown, malformed, or not supported, separately or in combination
   */
  public CheckedSettings check(Beside beside) {
    CheckedSettings checked =
        new CheckedSettings(
            written(OptionTable.DATABASE, options), written(OptionTable.TABLE, table));
    requireOneOf("memtable", "memtable_factory");
    requireOneOf("memtable_veirfy_per_key_checksum_on_seek", "memtable_verify_per_key_checksum_on_seek");
    TableRules.checkOpening(checked, beside, table.unchecked());
    OptionRules.checkOpening(checked, beside, options.unchecked());
    return checked;
  }

  private static Map<String, String> written(String scope, NamedValues given) {
    Map<String, String> written = new LinkedHashMap<>();
    Set<String> unchecked = given.unchecked();
    requireKnown(scope, given.values().keySet(), unchecked);
    for (var option : given.values().entrySet()) {
      String name = option.getKey();
      written.put(
          name,
          unchecked.contains(name)
              ? passed(name, option.getValue())
              : checked(scope, name, option.getValue()));
      int point = name.indexOf('.');
      if (point > 0 && given.values().containsKey(name.substring(0, point))) {
        throw new IllegalArgumentException(
            "option " + name + ": beside " + name.substring(0, point) + " it is not said which of the two counts; set one of them");
      }
    }
    return written;
  }

  private static OptionRow row(String scope, String name) {
    return scope.equals(OptionTable.TABLE) ? OptionTable.find(scope, name) : OptionTable.find(name);
  }

  private static void requireKnown(String scope, Set<String> names, Set<String> unchecked) {
    StringBuilder unknown = new StringBuilder();
    for (String name : names) {
      if (!unchecked.contains(name) && row(scope, name) == null) {
        unknown.append(unknown.isEmpty() ? "" : "; ").append(OptionTable.unknown(scope, name));
      }
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(unknown.toString());
    }
  }

  private static String checked(String scope, String name, String value) {
    try {
      return row(scope, name).check(value);
    } catch (UnsupportedValueException e) {
      throw e.toUser("; " + (scope.equals(OptionTable.TABLE) ? "TableOptions" : OptionTable.setter(name)) + DOOR);
    }
  }

  /** Returns an unchecked value; refuses names and braces that could inject another option. */
  private static String passed(String name, String value) {
    String enclosed = OptionText.enclosed(value.strip());
    if (!isName(name) || enclosed == null || !OptionText.isWellFormed(value)) {
      throw new IllegalArgumentException(
          "option " + name + ": '" + value + "' cannot stand in a text of options: braces match, names are letters, digits, '_' and '.'");
    }
    return enclosed;
  }

  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLetter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
      if (!isLetter && !(c >= '0' && c <= '9') && c != '_' && c != '.') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private void requireOneOf(String name, String other) {
    if (options.values().containsKey(name) && options.values().containsKey(other)) {
      throw new IllegalArgumentException("option " + name + ": " + other + " is the same; set one of them");
    }
  }
}
