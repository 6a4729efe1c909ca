/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The one way past the core's table of options: a system property with the names of options that may have any value that the
 * engine takes. Without it, the way is open for those that programs use and that nothing has proved here, and closed for
 * those that were seen to lose rows, to hang or to end the process.
 */
final class Unchecked {
  static final String PROPERTY = "org.rocksdbffm.compat.unchecked";

  /** All options, in the property. */
  private static final String ALL = "*";

  private static final String USED =
      "allow_ingest_behind,"
          + "compaction_options_fifo.use_kv_ratio_compaction,"
          + "experimental_mempurge_threshold,"
          + "inplace_update_support,"
          + "memtable_factory,"
          + "min_tombstones_for_range_conversion,"
          + "open_files_async,"
          + "read_triggered_compaction_threshold,"
          + "two_write_queues";

  private static final Set<String> NAMES =
      Arrays.stream(System.getProperty(PROPERTY, USED).split(",")).map(String::strip).collect(Collectors.toSet());

  private Unchecked() {}

  /** Whether the option may have any value. */
  static boolean lets(String name) {
    return NAMES.contains(name) || NAMES.contains(ALL);
  }

  /** The end of a message that refuses a value. */
  static String hint(String name) {
    return "; -D" + PROPERTY + "=" + name + " lets it through, and nothing is promised of it";
  }
}
