/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.reports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdbffm.internal.db.NativeFamily;

/**
 * Parses the engine's text about the entries of a block cache: a line for the cache, and {@code Role(count,1.50
 * MB,4.6875%)} for each kind of entry. The size is rounded for people; the share has six digits.
 */
public record CacheText(String id, long capacity, List<Entry> entries, long scans, Duration scanTook, Duration age) {
  /** The entries of one kind; the share is NaN or infinite if the cache has no capacity. */
  public record Entry(String role, long count, double percent, long roundedSize) {}

  private static final Pattern CACHE = Pattern.compile("Block cache (\\S+) capacity: ");
  // C uses a decimal comma if the locale of the process does.
  private static final Pattern ENTRY = Pattern.compile(" (\\w+)\\((\\d+),(\\d+)[.,](\\d+) ([KMGT])B,([^%]*)%\\)");
  private static final String UNITS = "KMGT";
  private static final int KIB_BITS = 10;
  private static final double NANOS = 1e9;

  /**
   * Reads the property, for which the engine scans the cache unless a recent scan exists; empty if the family has no
   * such cache.
   */
  public static Optional<CacheText> of(NativeFamily family, String property) {
    String text = family.property(property);
    return Optional.ofNullable(text)
        .map(values -> parse(values, family.longProperty("rocksdb.block-cache-capacity").orElse(0)));
  }

  /** Parses the text; {@code capacity} is exact, unlike the rounded one in the text. */
  public static CacheText parse(String text, long capacity) {
    Matcher cache = CACHE.matcher(text);
    if (!cache.find()) {
      throw new IllegalStateException("not the text of a cache: " + text);
    }
    List<Entry> entries = new ArrayList<>();
    Matcher entry = ENTRY.matcher(text);
    while (entry.find()) {
      double size = Double.parseDouble(entry.group(3) + "." + entry.group(4));
      int power = KIB_BITS * (1 + UNITS.indexOf(entry.group(5)));
      entries.add(
          new Entry(
              entry.group(1), Long.parseLong(entry.group(2)), number(entry.group(6)), Math.round(Math.scalb(size, power))));
    }
    return new CacheText(
        cache.group(1),
        capacity,
        entries,
        Long.parseLong(word(text, "collections")),
        Duration.ofNanos(Math.round(number(word(text, "last_secs")) * NANOS)),
        Duration.ofSeconds(Math.max(0, Long.parseLong(word(text, "secs_since")))));
  }

  private static String word(String text, String name) {
    Matcher word = Pattern.compile(name + ": (\\S+)").matcher(text);
    if (!word.find()) {
      throw new IllegalStateException("no " + name + " in " + text);
    }
    return word.group(1);
  }

  private static double number(String word) {
    try {
      return Double.parseDouble(word.replace(',', '.'));
    } catch (NumberFormatException inf) {
      return Double.NaN;
    }
  }
}
