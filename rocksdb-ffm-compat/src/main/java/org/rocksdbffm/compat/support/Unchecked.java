/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The options that may have any value that the engine takes: those that a system property names, by the engine's names. In
 * strict mode so may some that programs use and that nothing has proved here.
 */
public final class Unchecked {
  static final String PROPERTY = "org.rocksdbffm.compat.unchecked";

  /** All options, in the property. */
  private static final String ALL = "*";

  /** Some for all values, and some for more values than the table has. */
  private static final String USED =
      """
      allow_ingest_behind,
      arena_block_size=0..268435456,
      checksum,
      compaction_options_fifo.use_kv_ratio_compaction,
      experimental_mempurge_threshold,
      hard_pending_compaction_bytes_limit=0..,
      inplace_update_support,
      max_compaction_bytes=0..,
      max_open_files=-1..,
      memtable_factory,
      memtable_huge_page_size=0..1073741824,
      open_files_async,
      read_triggered_compaction_threshold,
      soft_pending_compaction_bytes_limit=0..,
      target_file_size_base=1..,
      target_file_size_multiplier=1..100000,
      two_write_queues
      """;

  private static final Set<String> NAMED = intervals(System.getProperty(PROPERTY, "")).keySet();

  /** By the name of an option, the values that it may have; null for any. */
  private static final Map<String, Interval> USED_VALUES = intervals(USED);

  private static Map<String, Interval> intervals(String list) {
    Map<String, Interval> intervals = new HashMap<>();
    for (String entry : list.split(",")) {
      String[] words = entry.strip().split("=", 2);
      intervals.put(words[0], words.length == 1 ? null : Interval.of(words[1]));
    }
    return intervals;
  }

  private Unchecked() {}

  /** Whether the property names the option. */
  public static boolean lets(String name) {
    return NAMED.contains(ALL) || NAMED.contains(name);
  }

  /** Whether programs use an option with a value that the table does not have. */
  static boolean isUsed(String name, String value) {
    if (!USED_VALUES.containsKey(name)) {
      return false;
    }
    Interval values = USED_VALUES.get(name);
    try {
      return values == null || values.has(Long.parseLong(value));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The end of a message that refuses a value. */
  public static String hint(String name) {
    return "; -D" + PROPERTY + "=" + name + " lets it through, and nothing is promised of it";
  }
}
