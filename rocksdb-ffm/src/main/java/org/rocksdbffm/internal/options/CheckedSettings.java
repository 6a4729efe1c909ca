/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.internal.options.table.ObjectType;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Settings that were held against the table, written down for the engine.
 *
 * @param options of the database and of the family
 * @param table of block based tables
 */
public record CheckedSettings(Map<String, String> options, Map<String, String> table) {
  private static final String TRUE = "true";

  /** These with others in their place. */
  public CheckedSettings with(Map<String, String> otherOptions, Map<String, String> otherTable) {
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.putAll(otherOptions);
    Map<String, String> changedTable = new LinkedHashMap<>(table);
    changedTable.putAll(otherTable);
    return new CheckedSettings(changed, changedTable);
  }

  /** The text of the options. */
  public String optionsText() {
    return OptionText.format(options);
  }

  /** The text of the table's options, as one option; empty if there are none. */
  public String tableText() {
    return table.isEmpty() ? "" : TableRules.FACTORY + "={" + OptionText.format(table) + "};";
  }

  /** Whether a table is named, so that the engine makes it anew for the text. */
  public boolean namesTable() {
    return options.containsKey(TableRules.ANY_FACTORY);
  }

  /** Whether there is to be no block cache. */
  public boolean isWithoutCache() {
    return isTrueInTable(TableRules.NO_CACHE);
  }

  /** Whether an option is set to true. Of those that are asked for, none is true by default. */
  boolean isTrue(String name) {
    return TRUE.equals(options.get(name));
  }

  /** Whether a table option is set to true. */
  boolean isTrueInTable(String name) {
    return TRUE.equals(table.get(name));
  }

  /** The whole number that an option is set to, or its default; -1 if what went past the table is none. */
  public long number(String name) {
    String value = options.get(name);
    return parsed(value == null ? OptionTable.find(name).defaultValue() : value);
  }

  /** The whole number that a part of an option is set to, with the others or by itself, or its default. */
  long numberInPart(String option, String scope, String part) {
    String value = options.get(option + "." + part);
    String whole = options.get(option);
    if (value == null && whole != null) {
      value = OptionText.parse(OptionText.withoutBraces(whole)).get(part);
    }
    return parsed(value == null ? OptionTable.find(scope, part).defaultValue() : value);
  }

  /** The whole number that a table option is set to, or its default; -1 if what went past the table is none. */
  long numberInTable(String name) {
    String value = table.get(name);
    return parsed(value == null ? OptionTable.find(OptionTable.TABLE, name).defaultValue() : value);
  }

  private static long parsed(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Whether the engine orders keys backward. */
  public boolean isReversed() {
    return idOf("comparator").equals("rocksdb.ReverseBytewiseComparator");
  }

  /** Whether the engine has a merge operator of its own for it. */
  public boolean hasMergeOperator() {
    return !ObjectType.isNothing(idOf("merge_operator"));
  }

  /** The id of the object that an option is set to; empty if it is not set. */
  String idOf(String name) {
    return ObjectType.idOf(options.getOrDefault(name, ""));
  }
}
