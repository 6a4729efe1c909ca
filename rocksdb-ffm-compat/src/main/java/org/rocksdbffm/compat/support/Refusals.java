/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.support;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * Option values with which rocksdbjni ends the process, hangs, or cannot read data that it wrote, from
 * {@code refusals.txt}. Only these are rejected here. A test runs rocksdbjni with each of these values.
 */
public final class Refusals {
  private static final String FILE = "refusals.txt";
  private static final String REASON = " ! ";
  private static final String CONDITION = "if ";
  private static final String AND = " and ";
  private static final Map<String, String> SEEN =
      Map.of("ends", "ends the process", "hangs", "hangs", "garbles", "does not read what it wrote");

  /** The lines of each option, parsed when the option is set, so that a program's start parses only a few. */
  private static final Map<String, List<String>> LINES = new HashMap<>();

  /** Options whose values affect other options. */
  private static final Set<String> CONDITIONS = new HashSet<>();

  static {
    for (String line : lines()) {
      StringTokenizer words = new StringTokenizer(line);
      String key = key(words.nextToken(), words.nextToken());
      List<String> lines = LINES.get(key);
      if (lines == null) {
        lines = new ArrayList<>();
        LINES.put(key, lines);
      }
      lines.add(line);
      if (line.indexOf(" " + CONDITION) >= 0) {
        for (Condition condition : Row.of(line).conditions) {
          CONDITIONS.addAll(condition.names);
        }
      }
    }
  }

  private Refusals() {}

  /** A condition on other options of the object: at least one of them, or none, contains a word. */
  public record Condition(List<String> names, String word, boolean holdsIfSet) {
    /** Reads {@code name|name=word} or {@code name|name!=word}. */
    static Condition of(String text) {
      int equals = text.indexOf('=');
      boolean isNegated = text.charAt(equals - 1) == '!';
      return new Condition(
          List.of(text.substring(0, isNegated ? equals - 1 : equals).split("\\|")), text.substring(equals + 1),
          !isNegated);
    }

    boolean holds(Map<String, String> others) {
      return holdsIfSet == names.stream().anyMatch(name -> others.getOrDefault(name, "").contains(word));
    }
  }

  /** Values of an option, and the effect that rocksdbjni showed with them. */
  public record Row(
      String scope, String name, String values, String seen, List<Condition> conditions, String reason) {
    static Row of(String line) {
      int end = line.indexOf(REASON);
      StringTokenizer words = new StringTokenizer(line.substring(0, end));
      String scope = words.nextToken();
      String name = words.nextToken();
      String values = words.nextToken();
      String seen = words.nextToken();
      List<Condition> conditions = new ArrayList<>();
      if (words.hasMoreTokens()) {
        String all = line.substring(line.indexOf(" " + CONDITION) + 1 + CONDITION.length(), end);
        for (int start = 0; start < all.length(); ) {
          int and = all.indexOf(AND, start);
          int stop = and < 0 ? all.length() : and;
          conditions.add(Condition.of(all.substring(start, stop).strip()));
          start = stop + AND.length();
        }
      }
      return new Row(scope, name, values, seen, conditions, line.substring(end + REASON.length()).strip());
    }

    private boolean has(String value) {
      Long number = number(value);
      for (String alternative : values.split("\\|")) {
        boolean isRange = "-.0123456789".indexOf(alternative.charAt(0)) >= 0;
        if (isRange ? number != null && Interval.of(alternative).has(number) : matchesWord(alternative, value)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Whether a value is the word; after a {@code !}, whether it is not the word. */
  private static boolean matchesWord(String word, String value) {
    return word.startsWith("!") ? !word.substring(1).equals(value) : word.equals(value);
  }

  /** Returns all rows, in the order of the file. */
  public static List<Row> read() {
    return lines().stream().map(Row::of).toList();
  }

  private static List<String> lines() {
    try (InputStream file = Refusals.class.getResourceAsStream(FILE)) {
      List<String> lines = new ArrayList<>();
      StringTokenizer all = new StringTokenizer(new String(file.readAllBytes(), US_ASCII), "\n");
      while (all.hasMoreTokens()) {
        String line = all.nextToken();
        if (!line.isBlank() && !line.startsWith("#")) {
          lines.add(line);
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the rows of an option. */
  private static List<Row> rows(String scope, String name) {
    List<String> lines = LINES.get(key(scope, name));
    if (lines == null) {
      return List.of();
    }
    List<Row> rows = new ArrayList<>();
    for (String line : lines) {
      rows.add(Row.of(line));
    }
    return rows;
  }

  private static String key(String scope, String name) {
    return scope.equals("cf") ? "db " + name : scope + ' ' + name; // no option has its name in both
  }

  /** Whether the value is in a row, or affects other options. */
  static boolean isNotable(String scope, String name, String value) {
    if (CONDITIONS.contains(name)) {
      return true;
    }
    for (Row row : rows(scope, name)) {
      if (row.has(value)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the reason to reject a value, given the object's other values; null if accepted. */
  static String reason(String scope, String name, String value, Map<String, String> others) {
    for (Row row : rows(scope, name)) {
      if (row.has(value) && row.conditions.stream().allMatch(condition -> condition.holds(others))) {
        return row.name + ": " + value + " is rejected, because rocksdbjni with it " + SEEN.get(row.seen) + ": "
            + row.reason;
      }
    }
    return null;
  }

  /**
   * Parses a number like the engine, with a unit. Unsigned numbers above Long.MAX_VALUE are negative. Returns null for
   * other texts.
   */
  private static Long number(String value) {
    String digits = value.strip();
    int unit = digits.isEmpty() ? -1 : "kmgt".indexOf(Character.toLowerCase(digits.charAt(digits.length() - 1)));
    try {
      if (unit >= 0) {
        return Long.parseLong(digits.substring(0, digits.length() - 1)) << 10 * (unit + 1);
      }
      return digits.startsWith("-") ? Long.parseLong(digits) : Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
