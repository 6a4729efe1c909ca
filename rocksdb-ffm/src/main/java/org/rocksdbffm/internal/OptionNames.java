/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The engine's option names, and the checks that the engine leaves out: it names no alternative to a name
 * that it does not know, and passes silently over an object that it cannot make.
 */
final class OptionNames {
  /** Options whose value names an object that the engine makes. */
  private static final Set<String> OBJECTS =
      Set.of(
          "merge_operator",
          "prefix_extractor",
          "memtable",
          "memtable_factory",
          "table_factory",
          "compaction_filter",
          "compaction_filter_factory",
          "sst_partitioner_factory",
          "filter_policy",
          "compression_manager",
          "file_checksum_gen_factory");

  /** Merge operators that each engine has; to ask costs it a failure. */
  private static final Set<String> MERGE_OPERATORS = Set.of("uint64add", "max", "put", "bytesxor");

  /** Likewise filters, whose names go on with a number of bits. */
  private static final String BLOOM_FILTER = "bloomfilter";
  private static final String RIBBON_FILTER = "ribbonfilter";

  /** Options of the same kind, for which the engine takes any value and makes nothing, or crashes. */
  private static final Set<String> NOT_BY_NAME =
      Set.of("env", "rate_limiter", "statistics", "listeners", "wal_filter", "table_properties_collectors");

  /** Numbers beyond which the engine does not survive: it checks them late, or never, or asks for what nobody has. */
  private static final Map<String, Range> RANGES =
      Map.ofEntries(
          Map.entry("num_levels", new Range(1, 1_000)),
          Map.entry("preclude_last_level_data_seconds", new Range(0, Long.MAX_VALUE)),
          Map.entry("preserve_internal_time_seconds", new Range(0, Long.MAX_VALUE)),
          Map.entry("table_cache_numshardbits", new Range(-1, 19)),
          Map.entry("log_readahead_size", new Range(0, Integer.MAX_VALUE)),
          Map.entry("max_background_jobs", new Range(-1, 10_000)),
          Map.entry("max_background_compactions", new Range(-1, 10_000)),
          Map.entry("max_background_flushes", new Range(-1, 10_000)),
          Map.entry("max_file_opening_threads", new Range(1, 10_000)));

  private record Range(long least, long most) {
    boolean holds(String number) {
      BigInteger value = new BigInteger(number);
      return value.compareTo(BigInteger.valueOf(least)) >= 0 && value.compareTo(BigInteger.valueOf(most)) <= 0;
    }
  }

  /** The engine's checks of the order of what it writes. */
  private static final Set<String> ORDER_CHECKS = Set.of("check_flush_compaction_key_order", "force_consistency_checks");

  /** The comparators in the engine; for these it cannot be asked. */
  private static final Set<String> COMPARATORS =
      Set.of("leveldb.BytewiseComparator", "rocksdb.ReverseBytewiseComparator");

  /** How the names of comparators end that expect a timestamp in each key, and read one before any that has none. */
  private static final String TIMESTAMPS = ".u64ts";

  private static final Set<String> BOOLEANS = Set.of("true", "false");
  private static final Set<String> NOTHING = Set.of("", "nullptr");
  private static final String PROBE = "rocksdb_ffm_probe";

  private OptionNames() {}

  /** Names of database and column family options, and of those of tables, as an options file has them. */
  private static Set<String> known(String section) {
    Set<String> names = new TreeSet<>();
    try (InputStream file = OptionNames.class.getResourceAsStream("option-names.txt")) {
      for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] words = line.split(" ");
        if (words[0].equals(section)) {
          names.add(words[1]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  /** What to say of names that the engine may have refused; empty if it knows them all. */
  static String advice(Set<String> options, Set<String> tableOptions) {
    List<String> advice = new ArrayList<>();
    advise(options, known("options"), "option", advice);
    advise(tableOptions, known("table"), "table option", advice);
    return String.join("; ", advice);
  }

  private static void advise(Set<String> names, Set<String> known, String kind, List<String> advice) {
    for (String name : names) {
      if (!known.contains(name)) {
        String nearest = nearest(name, known).map(match -> "; did you mean '" + match + "'?").orElse("");
        advice.add("unknown " + kind + " '" + name + "'" + nearest);
      }
    }
  }

  static Optional<String> nearest(String name, Set<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
        .filter(candidate -> distance(name, candidate) <= Math.max(2, name.length() / 2));
  }

  /** The number of letters to insert, remove or replace. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }

  /**
   * Fails for an object that the engine would pass over. It is asked with an option that no object has: one
   * that it can make refuses the option, one that it cannot is passed over together with the option.
   */
  static void checkObjects(Map<String, String> options, Map<String, String> tableOptions) {
    for (var option : options.entrySet()) {
      checkObject(option.getKey(), option.getValue(), "%s");
    }
    for (var option : tableOptions.entrySet()) {
      checkObject(option.getKey(), option.getValue(), TableFit.FACTORY + "={%s}");
    }
  }

  /** Fails for one that turns off a check without which the engine does not survive an order that goes wrong. */
  static void checkOrderChecks(Map<String, String> options) {
    options.forEach((name, value) -> {
      if (ORDER_CHECKS.contains(name) && !isTrue(value)) {
        throw new IllegalArgumentException(
            "option " + name + ": it is on where the order is code in Java, which can go wrong; leave it out");
      }
    });
  }

  /** As the engine reads it. */
  static boolean isTrue(String value) {
    return "true".equals(value) || "1".equals(value);
  }

  /** The id in a value that names an object, with or without options of its own. */
  static String objectId(String value) {
    String object = OptionText.withoutBraces(value);
    return object.startsWith("id=") ? object.substring(3).split(";")[0] : object;
  }

  static boolean isNothing(String id) {
    return NOTHING.contains(id);
  }

  private static void checkObject(String name, String value, String frame) {
    if (NOT_BY_NAME.contains(name) && !(name.equals("wal_filter") && isNothing(value))) {
      throw new IllegalArgumentException("option " + name + ": the engine makes no such object from a name");
    }
    Range range = RANGES.get(name);
    if (range != null && value.matches("-?[0-9]+") && !range.holds(value)) {
      throw new IllegalArgumentException(
          "option " + name + ": " + value + ", but it is from " + range.least + " to " + range.most);
    }
    String id = objectId(value);
    if (isNothing(id)) {
      return;
    }
    if (name.equals("comparator") && id.endsWith(TIMESTAMPS)) {
      throw new IllegalArgumentException("option comparator: '" + id + "' needs timestamps, which no write here has");
    }
    boolean unknown =
        name.equals("comparator")
            ? !COMPARATORS.contains(id)
            : OBJECTS.contains(name) && !isUsual(name, id) && isPassedOver(frame, name, id);
    if (unknown) {
      throw new IllegalArgumentException(
          "option " + name + ": the engine has no '" + id + "', and would silently do without");
    }
  }

  private static boolean isUsual(String name, String id) {
    return switch (name) {
      case "merge_operator" -> MERGE_OPERATORS.contains(id);
      case "filter_policy" -> isUsualFilter(id);
      default -> false;
    };
  }

  static boolean isUsualFilter(String id) {
    String[] parts = id.split(":", -1);
    return switch (parts.length) {
      case 2 -> (parts[0].equals(BLOOM_FILTER) || parts[0].equals(RIBBON_FILTER)) && isDecimal(parts[1]);
      case 3 -> parts[0].equals(BLOOM_FILTER) && isDecimal(parts[1]) && BOOLEANS.contains(parts[2]);
      default -> false;
    };
  }

  private static boolean isDecimal(String number) {
    int point = number.indexOf('.');
    return point < 0 ? isDigits(number) : isDigits(number.substring(0, point)) && isDigits(number.substring(point + 1));
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  static boolean isPassedOver(String frame, String name, String id) {
    return NativeOptions.accepts(frame.formatted(name + "={id=" + id + ";" + PROBE + "=1}"));
  }
}
