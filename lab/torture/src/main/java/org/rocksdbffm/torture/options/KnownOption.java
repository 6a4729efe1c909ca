/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdbffm.FamilyOptions;

/**
 * An option of the library's option table. This class parses the table itself, so that the sweep finds mistakes of the
 * library's parser.
 *
 * @param supported the values in the table, or bounds {@code a..b}; {@code *} for all values of the type
 */
record KnownOption(String scope, String name, String type, String defaultValue, List<String> supported, boolean live) {
  static final String DATABASE = "db";
  static final String FAMILY = "cf";
  static final String TABLE = "table";

  private static final String FILE = "internal/options/table/option-table.txt";
  private static final Map<String, List<KnownOption>> SCOPES = read();

  private static Map<String, List<KnownOption>> read() {
    Map<String, String> sets = new HashMap<>();
    Map<String, List<KnownOption>> scopes = new HashMap<>();
    for (String line : text().split("\n")) {
      String[] words = line.split(" ! ")[0].strip().split("\\s+");
      if (words[0].equals("set")) {
        sets.put("@" + words[1], words[2]);
      } else if (words.length == 6 && !words[0].equals("#") && !words[0].equals("reason")) {
        List<String> supported = new ArrayList<>();
        for (String word : words[4].split("\\|")) {
          supported.addAll(List.of(sets.getOrDefault(word, word).split("\\|")));
        }
        scopes
            .computeIfAbsent(words[0], ignored -> new ArrayList<>())
            .add(new KnownOption(words[0], words[1], words[2], words[3], supported, words[5].equals("live")));
      }
    }
    return scopes;
  }

  private static String text() {
    try (InputStream lines = FamilyOptions.class.getResourceAsStream(FILE)) {
      return new String(lines.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the options of a scope; empty if the table has no such scope. */
  static List<KnownOption> in(String scope) {
    return SCOPES.getOrDefault(scope, List.of());
  }

  /** Returns all options that can be set by name. */
  static List<KnownOption> all() {
    List<KnownOption> all = new ArrayList<>();
    for (String scope : List.of(DATABASE, FAMILY, TABLE)) {
      all.addAll(in(scope));
    }
    return all;
  }

  /** Returns the options with the given names, separated by commas. */
  static List<KnownOption> named(String names) {
    List<String> all = List.of(names.split(","));
    return all().stream().filter(option -> all.contains(option.name())).toList();
  }

  /** Returns the words that are values of options. */
  static List<String> words() {
    return SCOPES.values().stream()
        .flatMap(List::stream)
        .filter(option -> option.type.startsWith("word") || option.type.startsWith("object"))
        .flatMap(option -> option.supported.stream())
        .distinct()
        .toList();
  }

  /** Returns the fields of a struct, a cache or an object; empty for any other type. */
  List<KnownOption> parts() {
    return type.startsWith("struct:") || type.equals("cache") || type.startsWith("object:")
        ? in(type.substring(type.indexOf(':') + 1))
        : List.of();
  }

  boolean isOfDatabase() {
    return scope.equals(DATABASE);
  }
}
