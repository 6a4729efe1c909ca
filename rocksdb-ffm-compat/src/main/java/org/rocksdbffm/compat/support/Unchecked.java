/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The options for which any value that the engine accepts is allowed: a system property lists them, by the engine's
 * names. In strict mode, also options that programs commonly use with values that the core's table does not support.
 */
public final class Unchecked {
  static final String PROPERTY = "org.rocksdbffm.compat.unchecked";

  /** In the property: all options. */
  private static final String ALL = "*";

  /**
   * Options that programs use with unsupported values: some with any value, some with any value that does not contain a
   * word, and some with a larger range than the table's.
   */
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
      memtable_factory=!hash,
      memtable_huge_page_size=0..1073741824,
      open_files_async,
      read_triggered_compaction_threshold,
      soft_pending_compaction_bytes_limit=0..,
      target_file_size_base=1..,
      target_file_size_multiplier=1..100000,
      two_write_queues
      """;

  private static final Set<String> NAMED = names(System.getProperty(PROPERTY, ""));

  /** The allowed values by option. A separate class, because a program that starts without such values needs none. */
  private static final class Used {
    static final Map<String, Predicate<String>> VALUES = values(USED);
  }

  private static Set<String> names(String list) {
    Set<String> names = new HashSet<>();
    for (String entry : list.split(",")) {
      names.add(entry.strip().split("=", 2)[0]);
    }
    return names;
  }

  private static Map<String, Predicate<String>> values(String list) {
    Map<String, Predicate<String>> values = new HashMap<>();
    for (String entry : list.split(",")) {
      String[] words = entry.strip().split("=", 2);
      values.put(words[0], words.length == 1 ? any -> true : allowed(words[1]));
    }
    return values;
  }

  private static Predicate<String> allowed(String text) {
    if (text.startsWith("!")) {
      return value -> !value.toLowerCase(Locale.ROOT).contains(text.substring(1));
    }
    Interval values = Interval.of(text);
    return value -> {
      try {
        return values.has(Long.parseLong(value));
      } catch (NumberFormatException e) {
        return false;
      }
    };
  }

  private Unchecked() {}

  /** Whether the property contains the option. */
  public static boolean lets(String name) {
    return NAMED.contains(ALL) || NAMED.contains(name);
  }

  /** Whether programs commonly use this value, although the table does not support it. */
  static boolean isUsed(String name, String value) {
    return Used.VALUES.getOrDefault(name, any -> false).test(value);
  }

  /** Returns the end of a message that rejects a value. */
  public static String hint(String name) {
    return "; -D" + PROPERTY + "=" + name + " lets it through, and nothing is promised of it";
  }
}
