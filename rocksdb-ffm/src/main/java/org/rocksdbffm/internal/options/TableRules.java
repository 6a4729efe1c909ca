/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.rocksdbffm.internal.options.table.ObjectType;
import org.rocksdbffm.internal.options.table.OptionText;

/**
 * Options of block-based tables by each of their names, and checks of their combinations. RocksDB checks combinations
 * only when it creates a table factory, and not when a text changes an existing one: it then crashes on partitioned
 * filters without a partitioned index, and keeps a cache that was disabled.
 */
public final class TableRules {
  /** The option that contains the table options. */
  public static final String FACTORY = "block_based_table_factory";

  static final String ANY_FACTORY = "table_factory";
  static final String NO_CACHE = "no_block_cache";
  private static final String BLOCK_BASED = "BlockBasedTable";
  private static final String CACHE = "block_cache";
  private static final String FILTER_PARTS = "partition_filters";
  private static final String INDEX = "index_type";
  private static final String INDEX_IN_PARTS = "kTwoLevelIndexSearch";
  private static final String ALIGN = "block_align";
  private static final String BLOCK_SIZE = "block_size";

  private TableRules() {}

  /** Whether an option sets a block-based table factory, or one of its options. */
  public static boolean isOfBlocks(String name, String value) {
    return name.equals(FACTORY)
        || name.startsWith(FACTORY + ".")
        || name.startsWith(ANY_FACTORY + ".")
        || name.equals(ANY_FACTORY) && ObjectType.idOf(value).equals(BLOCK_BASED);
  }

  /** Returns the table options that an option contains. */
  public static Map<String, String> options(String name, String value) {
    int point = name.indexOf('.');
    if (point >= 0) {
      return Map.of(name.substring(point + 1), value);
    }
    String table = OptionText.withoutBraces(value.strip()).strip();
    if (table.indexOf('=') < 0) {
      return Map.of(); // a factory name without options
    }
    Map<String, String> options = new LinkedHashMap<>(OptionText.parse(table));
    options.remove("id", BLOCK_BASED);
    return options;
  }

  static void checkOpening(CheckedSettings settings, OptionSettings.Beside beside, Set<String> unchecked) {
    if (settings.namesTable() && (beside.cache() || settings.isWithoutCache())) {
      throw new IllegalArgumentException(
          "option " + ANY_FACTORY + ": " + settings.idOf(ANY_FACTORY)
              + " is no table for the block cache of TableOptions; leave one out");
    }
    if (settings.table().containsKey(CACHE) && beside.cache()) {
      throw new IllegalArgumentException("table option " + CACHE + ": beside TableOptions.blockCache or a memory budget; set one of them");
    }
    if (settings.isTrueInTable(FILTER_PARTS)
        && !INDEX_IN_PARTS.equals(settings.table().get(INDEX))
        && !unchecked.contains(FILTER_PARTS)) {
      throw new IllegalArgumentException(
          "table option " + FILTER_PARTS + " needs " + INDEX + "=" + INDEX_IN_PARTS + " beside it");
    }
    checkAlways(settings);
  }

  static void checkAlways(CheckedSettings settings) {
    long size = settings.isTrueInTable(ALIGN) ? settings.numberInTable(BLOCK_SIZE) : 1;
    if (size > 0 && Long.bitCount(size) != 1) {
      throw new IllegalArgumentException(
          "table option " + ALIGN + " needs a " + BLOCK_SIZE + " that is a power of 2, which " + size + " is not");
    }
    Map<String, String> cache = options(CACHE, settings.table().getOrDefault(CACHE, ""));
    if ("true".equals(cache.get("strict_capacity_limit")) && cache.getOrDefault("capacity", "0").equals("0")) {
      throw new IllegalArgumentException(
          "table option " + CACHE + ": strict_capacity_limit without a capacity holds no block, so that no table can be read; add capacity=");
    }
  }
}
