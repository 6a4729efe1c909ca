/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.util.Map;

/**
 * Table options that have to fit together. The engine sees to that where it makes a table of them, and not where a text
 * changes those of a table that is there: it does not survive parts of filters without parts of an index, cannot read a
 * hash index with other restarts than it has, and goes on with the cache that it shall not have.
 */
public final class TableFit {
  public static final String FACTORY = "block_based_table_factory";
  private static final String ANY_FACTORY = "table_factory";
  private static final String BLOCK_BASED = "BlockBasedTable";

  private static final String NO_CACHE = "no_block_cache";
  private static final String FILTER_PARTS = "partition_filters";
  private static final String INDEX = "index_type";
  private static final String INDEX_IN_PARTS = "kTwoLevelIndexSearch";
  private static final String HASH_INDEX = "kHashSearch";
  private static final String INDEX_RESTARTS = "index_block_restart_interval";

  private TableFit() {}

  /** Whether an option is about a block based table: the whole of it, or one option. */
  public static boolean isOfBlocks(String name, String value) {
    return name.equals(FACTORY)
        || name.startsWith(FACTORY + ".")
        || name.equals(ANY_FACTORY) && OptionNames.objectId(value).equals(BLOCK_BASED);
  }

  /** Whether the engine makes a table anew, by its name, for a text of these. */
  static boolean isNamed(Map<String, String> settings) {
    return settings.containsKey(ANY_FACTORY);
  }

  static boolean isWithoutCache(Map<String, String> tableSettings) {
    return OptionNames.isTrue(tableSettings.get(NO_CACHE));
  }

  /** Fails for options to open with that do not fit. */
  static void check(Map<String, String> settings, Map<String, String> tableSettings, boolean hasCache) {
    if (isNamed(settings) && (hasCache || isWithoutCache(tableSettings))) {
      throw new IllegalArgumentException(
          "option " + ANY_FACTORY + ": " + OptionNames.objectId(settings.get(ANY_FACTORY))
              + " is no table for the block cache of TableOptions; leave one out");
    }
    String index = tableSettings.getOrDefault(INDEX, "");
    if (OptionNames.isTrue(tableSettings.get(FILTER_PARTS)) && !index.equals(INDEX_IN_PARTS)) {
      throw new IllegalArgumentException(
          "table option " + FILTER_PARTS + " needs " + INDEX + "=" + INDEX_IN_PARTS + " beside it");
    }
    if (index.equals(HASH_INDEX) && !tableSettings.getOrDefault(INDEX_RESTARTS, "1").equals("1")) {
      throw new IllegalArgumentException("table option " + INDEX + "=" + HASH_INDEX + " needs " + INDEX_RESTARTS + "=1");
    }
    refuse(settings, "set it by " + FACTORY + ", or by TableOptions");
  }

  /** Fails for changes of an open column family, for which its table is not made anew. */
  static void checkChange(Map<String, String> settings) {
    refuse(settings, "set it when the database is opened");
  }

  private static void refuse(Map<String, String> settings, String instead) {
    for (var setting : settings.entrySet()) {
      String name = setting.getKey();
      for (var option : options(name, setting.getValue()).entrySet()) {
        if (isOfMaking(option.getKey(), option.getValue())) {
          throw new IllegalArgumentException(
              "option " + name + ": " + option.getKey() + " cannot be set here; " + instead);
        }
      }
    }
  }

  /** Whether it may only be said when a table is made. */
  private static boolean isOfMaking(String option, String value) {
    return switch (option) {
      case NO_CACHE, FILTER_PARTS -> OptionNames.isTrue(value);
      case INDEX, INDEX_RESTARTS -> true;
      default -> false;
    };
  }

  /** The table options in an option, whose name may go on with that of one of them. */
  public static Map<String, String> options(String name, String value) {
    String[] names = name.split("\\.", 2);
    if (!names[0].equals(FACTORY) && !names[0].equals(ANY_FACTORY)) {
      return Map.of();
    }
    if (names.length > 1) {
      return Map.of(names[1], value);
    }
    if (names[0].equals(ANY_FACTORY) && !value.contains("=")) {
      return Map.of(); // a table's name, and no options of it
    }
    Map<String, String> options = OptionText.parse(OptionText.withoutBraces(value));
    options.remove("id", BLOCK_BASED);
    return options;
  }
}
