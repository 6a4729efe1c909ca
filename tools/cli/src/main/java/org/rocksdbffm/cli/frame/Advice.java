/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.cli.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.Opening;
import org.rocksdbffm.RocksDb;

/** Removes advice about methods from the library's messages, because users of commands cannot call methods. */
final class Advice {
  /** Matches the points at which a message can be cut. */
  private static final Pattern SEPARATOR = Pattern.compile("; |: |, or |, and |, unless |(?<!\\w)\\(|\\)(?!\\w)");

  private static final Pattern MEMBER = Pattern.compile("(?<![\\w/.'\"-])([A-Z]\\w*)\\.[a-z]\\w*");
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w/.'\"-])(?:[a-z]+[A-Z]\\w*|[A-Z][a-z]+[A-Z]\\w*)(?![\\w/'\"-])");
  private static final List<String> PACKAGES =
      List.of("org.rocksdbffm.", "org.rocksdbffm.metrics.", "java.nio.file.", "java.lang.");

  /** Advice that is replaced by advice for the command line. */
  private static final Map<String, String> TRANSLATED = Map.of(
      "Repair is the last resort", "'repair' is the last resort",
      "or open it here by openReadOnly", "or read it here");

  private Advice() {}

  static String withoutMethods(String message) {
    String text = message;
    for (var translated : TRANSLATED.entrySet()) {
      text = text.replace(translated.getKey(), translated.getValue());
    }
    StringBuilder kept = new StringBuilder();
    Matcher separator = SEPARATOR.matcher(text);
    List<String> separators = new ArrayList<>(List.of(""));
    List<String> parts = new ArrayList<>();
    int from = 0;
    while (separator.find()) {
      parts.add(text.substring(from, separator.start()));
      separators.add(separator.group());
      from = separator.end();
    }
    parts.add(text.substring(from));
    for (int i = 0; i < parts.size(); i++) {
      boolean dropped = namesMethod(parts.get(i));
      boolean isBracket = separators.get(i).equals("(") || separators.get(i).equals(")");
      kept.append(dropped && !isBracket ? "" : separators.get(i)).append(dropped ? "" : parts.get(i));
    }
    return kept.toString().replaceAll("\\((?:; |: |, or |, and |, unless )", "(").replaceAll(" ?\\(\\s*\\)", "")
        .strip();
  }

  /** Whether a text names a member of the library's classes, or a method for opening databases. */
  static boolean namesMethod(String text) {
    return MEMBER.matcher(text).results().anyMatch(member -> isClass(member.group(1)))
        || NAME.matcher(text).results().anyMatch(name -> isClass(name.group()) || Methods.NAMES.contains(name.group()));
  }

  private static boolean isClass(String name) {
    return PACKAGES.stream().anyMatch(each -> {
      try {
        Class.forName(each + name, false, Advice.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException | LinkageError e) {
        return false; // on case-insensitive file systems, a class may be found by another spelling
      }
    });
  }

  /** The names of methods, loaded if a message has a word that may be one. */
  private static final class Methods {
    private static final Set<String> NAMES =
        Stream.of(RocksDb.class, Opening.class, DatabaseOptions.class, FamilyOptions.class)
        .flatMap(each -> Stream.of(each.getMethods()))
        .map(java.lang.reflect.Method::getName)
        .collect(Collectors.toSet());
  }
}
