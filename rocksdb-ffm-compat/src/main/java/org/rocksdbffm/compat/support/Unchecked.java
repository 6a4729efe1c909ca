/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.HashMap;
import java.util.Map;

/**
 * The one way past the core's table of options: a system property with the names of options that may have any value that the
 * engine takes. Without it, the way is open for those that programs use and that nothing has proved here, and closed for
 * those that were seen to lose rows, to hang or to end the process.
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
      min_tombstones_for_range_conversion,
      open_files_async,
      read_triggered_compaction_threshold,
      soft_pending_compaction_bytes_limit=0..,
      target_file_size_base=1..,
      target_file_size_multiplier=1..100000,
      two_write_queues
      """;

  /** By the name of an option, the values that it may have; null for any. */
  private static final Map<String, Interval> OPEN = new HashMap<>();

  static {
    for (String entry : System.getProperty(PROPERTY, USED).split(",")) {
      String[] words = entry.strip().split("=", 2);
      OPEN.put(words[0], words.length == 1 ? null : Interval.of(words[1]));
    }
  }

  private Unchecked() {}

  /** Whether the option may have a value that the table does not have. */
  public static boolean lets(String name, String value) {
    if (!OPEN.containsKey(name)) {
      return OPEN.containsKey(ALL);
    }
    Interval values = OPEN.get(name);
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
