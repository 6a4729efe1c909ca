/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options;

import java.util.List;
import java.util.Set;

/**
 * Checks for option values that are each supported, but harmful in combination. RocksDB itself refuses other
 * combinations; this class checks harmful ones that RocksDB accepts. A rule is skipped if one of its options is
 * unchecked.
 */
final class OptionRules {
  private static final String BLOBS = "enable_blob_files";
  private static final String PIPELINE = "enable_pipelined_write";
  private static final String PRECLUDE = "preclude_last_level_data_seconds";
  private static final List<String> TIMES = List.of(PRECLUDE, "preserve_internal_time_seconds");
  private static final String TRACK = "track_and_verify_wals_in_manifest";
  private static final String TRIGGER = "level0_file_num_compaction_trigger";
  private static final String SLOWDOWN = "level0_slowdown_writes_trigger";
  private static final String STOP = "level0_stop_writes_trigger";
  private static final String BUFFERS = "max_write_buffer_number";
  private static final String LEVEL = "kCompactionStyleLevel";
  private static final String FIFO = "kCompactionStyleFIFO";
  private static final String UNIVERSAL = "kCompactionStyleUniversal";
  private static final String RUNS = "compaction_options_universal";
  private static final String TO_MERGE = "min_write_buffer_number_to_merge";

  /** Options that make RocksDB verify the key order of its output. */
  private static final Set<String> ORDER_CHECKS = Set.of("check_flush_compaction_key_order", "force_consistency_checks");

  private OptionRules() {}

  /** Throws if options must not be combined at the opening of a database or family. */
  static void checkOpening(CheckedSettings settings, OptionSettings.Beside beside, Set<String> unchecked) {
    checkAlways(settings, beside, unchecked);
    if (beside.kind().isForReading() && settings.isTrue(TRACK) && !unchecked.contains(TRACK)) {
      throw refusal(TRACK, "the engine does not survive it where a database is opened for reading alone; leave it out there");
    }
    if (beside.kind() == DatabaseKind.LOCKING && settings.isTrue(PIPELINE) && !unchecked.contains(PIPELINE)) {
      throw refusal(PIPELINE, "beside it, a TransactionDb loses what is prepared, at the next flush; leave it out there");
    }
  }

  /** Throws if options of an open family must not be combined; RocksDB itself corrects them only at the opening. */
  static void checkChange(CheckedSettings settings, OptionSettings.Beside beside) {
    checkAlways(settings, beside, Set.of());
    if (!FIFO.equals(settings.options().get("compaction_style"))) {
      requireOrder(settings, STOP, SLOWDOWN, "a compaction");
      requireOrder(settings, SLOWDOWN, TRIGGER, "a compaction");
    }
    if (settings.number(BUFFERS) <= settings.number(TO_MERGE)) {
      throw refusal(BUFFERS, settings.number(BUFFERS) + " must be more than " + TO_MERGE + ", " + settings.number(TO_MERGE) + waiting("a flush"));
    }
  }

  /**
   * Throws if writes could stall forever. When the number of sorted runs reaches the slowdown trigger, a flush waits
   * for a compaction. RocksDB is certain to start a compaction only if the number of runs exceeds the allowed number by
   * enough runs to merge; otherwise the start depends on the sizes of the runs.
   */
  private static void requireUniversalProgress(CheckedSettings settings, Set<String> unchecked) {
    if (!UNIVERSAL.equals(settings.options().get("compaction_style"))
        || settings.isTrue("disable_auto_compactions")
        || unchecked.contains(RUNS)) {
      return;
    }
    long fewest = universal(settings, "min_merge_width");
    long most = universal(settings, "max_merge_width");
    if (fewest > most) {
      throw refusal(RUNS, "min_merge_width " + fewest + " must not be more than max_merge_width " + most + waiting("a compaction"));
    }
    long trigger = settings.number(TRIGGER);
    long read = universal(settings, "max_read_amp");
    long allowed = read > 0 ? read : trigger;
    long slowdown = Math.max(settings.number(SLOWDOWN), trigger);
    if (slowdown - allowed < fewest) {
      String reason =
          slowdown + " must be at least " + (allowed + fewest) + ", the sorted runs that are allowed (max_read_amp, or " + TRIGGER
              + ") and min_merge_width of " + RUNS + " together";
      throw refusal(SLOWDOWN, reason + waiting("a compaction"));
    }
  }

  private static long universal(CheckedSettings settings, String part) {
    return settings.numberInPart(RUNS, "universal", part);
  }

  private static void requireOrder(CheckedSettings settings, String greater, String less, String awaited) {
    if (settings.number(greater) < settings.number(less)) {
      throw refusal(
          greater, settings.number(greater) + " must not be less than " + less + ", " + settings.number(less) + waiting(awaited));
    }
  }

  private static String waiting(String awaited) {
    return ": writes would wait for " + awaited + " that does not come";
  }

  private static void checkAlways(CheckedSettings settings, OptionSettings.Beside beside, Set<String> unchecked) {
    requireUniversalProgress(settings, unchecked);
    if (beside.ordersInJava()) {
      for (String check : ORDER_CHECKS) {
        String value = settings.options().get(check);
        if (value != null && !isTrue(value)) {
          throw refusal(check, "it is on where the order is code in Java, which can go wrong; leave it out");
        }
      }
    }
    if (settings.options().containsKey(PRECLUDE)
        && settings.number(PRECLUDE) > 0
        && settings.isTrue(BLOBS)
        && (beside.mergesInJava() || settings.hasMergeOperator())
        && !unchecked.contains(PRECLUDE)
        && !unchecked.contains(BLOBS)) {
      throw refusal(PRECLUDE, "beside " + BLOBS + " and a merge operator, the engine writes what it cannot read again; leave one out");
    }
    requireCompactionsToEnd(settings, unchecked);
  }

  /**
   * In leveled compaction, the engine compacts a table because of its old sequence numbers, but these options make it
   * keep the numbers, so it compacts the table repeatedly, without an end.
   */
  private static void requireCompactionsToEnd(CheckedSettings settings, Set<String> unchecked) {
    if (!LEVEL.equals(settings.options().getOrDefault("compaction_style", LEVEL))) {
      return;
    }
    for (String name : TIMES) {
      if (settings.number(name) > 0 && !unchecked.contains(name)) {
        throw refusal(name, "in leveled compaction, tables are compacted again and again; set compaction_style=" + UNIVERSAL + ", or leave it out");
      }
    }
  }

  private static boolean isTrue(String value) {
    return value.equals("true") || value.equals("1");
  }

  private static IllegalArgumentException refusal(String option, String reason) {
    return new IllegalArgumentException("option " + option + ": " + reason);
  }
}
