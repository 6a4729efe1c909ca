/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The reviewed table of options, {@code option-table.txt}: the values of each option that this library promises to work
 * with. A line is found and parsed when its option is first used, so opening with three options parses three lines.
 */
public final class OptionTable {
  /** The scope of database options. */
  public static final String DATABASE = "db";

  /** The scope of column family options. */
  public static final String FAMILY = "cf";

  /** The scope of block-based table options. */
  public static final String TABLE = "table";

  /** The options that decide what an opening creates. */
  public static final Set<String> PRESENCE = Set.of("create_if_missing", "create_missing_column_families", "error_if_exists");

  private static final String LINES = read("option-table.txt");
  private static final ConcurrentHashMap<String, OptionRow> ROWS = new ConcurrentHashMap<>();

  /** Database and column family rows, found by name without a scope. */
  private static final ConcurrentHashMap<String, OptionRow> EITHER = new ConcurrentHashMap<>();

  private OptionTable() {}

  public static String read(String file) {
    try (InputStream lines = OptionTable.class.getResourceAsStream(file)) {
      return "\n" + new String(lines.readAllBytes(), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the row of a database or column family option; null if absent. {@code name.part} finds a part's row.
   */
  public static OptionRow find(String name) {
    OptionRow row = EITHER.get(name);
    if (row == null) {
      row = find(DATABASE, name);
      row = row == null ? find(FAMILY, name) : row;
      if (row != null) {
        EITHER.putIfAbsent(name, row);
      }
    }
    return row;
  }

  /** Returns the row of an option in a scope; null if absent. */
  public static OptionRow find(String scope, String name) {
    int point = name.indexOf('.');
    if (point >= 0) {
      OptionRow whole = find(scope, name.substring(0, point));
      return whole == null ? null : whole.part(name.substring(point + 1));
    }
    String key = scope + ' ' + name;
    OptionRow row = ROWS.get(key);
    if (row == null && name.indexOf(' ') < 0 && name.indexOf('\n') < 0) {
      int at = LINES.indexOf("\n" + key + ' ');
      if (at >= 0) {
        row = OptionRow.of(lineAt(at + 1));
        ROWS.putIfAbsent(key, row);
      }
    }
    return row;
  }

  private static String lineAt(int from) {
    int end = LINES.indexOf('\n', from);
    return LINES.substring(from, end);
  }

  /** Returns a definition that other lines refer to: a set of values, or a reason. */
  static String definition(String kind, String name) {
    String key = "\n" + kind + ' ' + name + ' ';
    int at = LINES.indexOf(key);
    if (at < 0) {
      throw new IllegalStateException("the table of options has no " + kind + " " + name);
    }
    return lineAt(at + key.length()).strip();
  }

  /** Returns the names in a scope, in the order of the table. */
  public static List<String> names(String scope) {
    List<String> names = new ArrayList<>();
    String start = "\n" + scope + ' ';
    for (int at = LINES.indexOf(start); at >= 0; at = LINES.indexOf(start, at + 1)) {
      int from = at + start.length();
      names.add(LINES.substring(from, LINES.indexOf(' ', from)));
    }
    return names;
  }

  /** Returns all lines, to check or print the table. */
  public static List<String> lines() {
    return LINES.lines().toList();
  }

  /**
   * Checks the value of an option, and returns it in RocksDB's notation.
   *
   * @throws IllegalArgumentException if the option is unknown, or the value malformed or not supported
   */
  public static String check(String scope, String name, String value) {
    return require(scope, name).require(value);
  }

  /** Checks an integer value of an option; an unsigned 64-bit value is passed as a signed long. */
  public static void checkNumber(String scope, String name, long value) {
    require(scope, name).require(Long.toString(value));
  }

  /** Returns the row of an option, or throws. The database scope includes column family options. */
  public static OptionRow require(String scope, String name) {
    OptionRow row = scope.equals(DATABASE) ? find(name) : find(scope, name);
    if (row == null) {
      throw new IllegalArgumentException(unknown(scope, name));
    }
    return row;
  }

  /** Refuses an option that belongs only to this scope. */
  public static void requireNotOf(String scope, String name) {
    if (find(scope, name) != null && find(scope.equals(DATABASE) ? FAMILY : DATABASE, name) == null) {
      String whose = scope.equals(DATABASE) ? "the database" : "a column family";
      throw new IllegalArgumentException("option " + name + ": it is one of " + whose + ": " + setter(name) + " sets it");
    }
  }

  /** Returns the name of the options class that sets an option. */
  public static String setter(String name) {
    return name == null || find(DATABASE, name) == null ? "FamilyOptions" : "DatabaseOptions";
  }

  /** Returns a message about an unknown option, with a suggestion. */
  public static String unknown(String scope, String name) {
    String kind = scope.equals(TABLE) ? "table option" : "option";
    List<String> known = new ArrayList<>(names(scope));
    if (scope.equals(DATABASE)) {
      known.addAll(names(FAMILY)); // settings hold both
    }
    List<String> others = new ArrayList<>(names(scope.equals(TABLE) ? DATABASE : TABLE));
    if (scope.equals(TABLE)) {
      others.addAll(names(FAMILY));
    }
    List<String> all = new ArrayList<>(known);
    all.addAll(others);
    String meant = NearestName.of(name, all).orElse(null);
    String named = others.contains(name) ? name : meant;
    String where =
        scope.equals(TABLE) ? "none of tables: " + setter(named) + " sets it" : "one of tables: TableOptions sets it";
    String advice = "";
    if (others.contains(name)) {
      advice = "; it is " + where;
    } else if (meant != null) {
      advice = "; did you mean '" + meant + "'?" + (known.contains(meant) ? "" : " It is " + where);
    }
    return "unknown " + kind + " '" + name + "'" + advice;
  }
}
