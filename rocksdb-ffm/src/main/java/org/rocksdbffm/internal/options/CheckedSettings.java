/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import org.rocksdbffm.internal.options.table.ObjectType;
import org.rocksdbffm.internal.options.table.OptionTable;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Settings that were checked against the option table, in the notation of RocksDB.
 *
 * @param options database and column family options
 * @param table options of block-based tables
 */
public record CheckedSettings(Map<String, String> options, Map<String, String> table) {
  private static final String TRUE = "true";

  /** Returns a copy with these values replaced. */
  public CheckedSettings with(Map<String, String> otherOptions, Map<String, String> otherTable) {
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.putAll(otherOptions);
    Map<String, String> changedTable = new LinkedHashMap<>(table);
    changedTable.putAll(otherTable);
    return new CheckedSettings(changed, changedTable);
  }

  /** Returns the options string. */
  public String optionsText() {
    return OptionText.format(options);
  }

  /** Returns the table options as one option; empty if absent. */
  public String tableText() {
    return table.isEmpty() ? "" : TableRules.FACTORY + "={" + OptionText.format(table) + "};";
  }

  /** Whether a table factory is named, so that RocksDB creates a new one for the options string. */
  public boolean namesTable() {
    return options.containsKey(TableRules.ANY_FACTORY);
  }

  /** Whether the block cache is disabled. */
  public boolean isWithoutCache() {
    return isTrueInTable(TableRules.NO_CACHE);
  }

  /** Whether an option is set to true. Only for options that are false by default. */
  boolean isTrue(String name) {
    return TRUE.equals(options.get(name));
  }

  /** Whether a table option is set to true. Only for options that are false by default. */
  boolean isTrueInTable(String name) {
    return TRUE.equals(table.get(name));
  }

  /** Returns an option's number, or its default; -1 if an unchecked value is not a number. */
  public long number(String name) {
    String value = options.get(name);
    return parsed(value == null ? OptionTable.find(name).defaultValue() : value);
  }

  /** Returns the number of a structure's part, whether set with the structure or separately, or its default. */
  long numberInPart(String option, String scope, String part) {
    String value = options.get(option + "." + part);
    String whole = options.get(option);
    if (value == null && whole != null) {
      value = OptionText.parse(OptionText.withoutBraces(whole)).get(part);
    }
    return parsed(value == null ? OptionTable.find(scope, part).defaultValue() : value);
  }

  /** Returns a table option's number, or its default; -1 if an unchecked value is not a number. */
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

  /** Whether RocksDB's reverse bytewise comparator is set. */
  public boolean isReversed() {
    return idOf("comparator").equals("rocksdb.ReverseBytewiseComparator");
  }

  /** Whether a built-in merge operator is set. */
  public boolean hasMergeOperator() {
    return !ObjectType.isNothing(idOf("merge_operator"));
  }

  /** Returns the id of the object that an option is set to; empty if it is not set. */
  String idOf(String name) {
    return ObjectType.idOf(options.getOrDefault(name, ""));
  }
}
