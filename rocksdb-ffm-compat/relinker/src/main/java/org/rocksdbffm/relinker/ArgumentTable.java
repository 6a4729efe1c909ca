/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The table of arguments: the allowed values of each argument of a native method. Read from the {@code .arguments}
 * files next to the routes. A line in brackets names the class of the following rows. A row has a method, its
 * parameters and, for each parameter, a name and a kind ({@link ArgumentChecks} lists the kinds).
 *
 * <pre>
 * [org.rocksdb.LRUCache]
 * newLRUCache (JIZ)      capacity=size numShardBits=..19 strictCapacityLimit=flag
 * setPriority (JB)       handle=object priority=0..3 !Limits.priority     # and a check of all together
 * * (J)*                 handle=object       # methods without a row that have these parameters
 * </pre>
 */
final class ArgumentTable {
  private static final String ANY = "*";

  /** An argument: its name in messages, and its kind. */
  record Argument(String name, String kind) {}

  /**
   * The arguments of a method, and the glue method that checks them together, as {@code Class.method}; null if none.
   */
  record Row(String where, List<Argument> arguments, String check) {}

  private record Key(String type, String method, String parameters) {}

  private final Map<Key, Row> rows;
  private final Set<Key> met = new HashSet<>();

  private ArgumentTable(Map<Key, Row> rows) {
    this.rows = rows;
  }

  static ArgumentTable read(Path folder) throws IOException {
    Map<Key, Row> rows = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".arguments")).sorted().toList()) {
        readFile(file, rows);
      }
    }
    return new ArgumentTable(rows);
  }

  private static void readFile(Path file, Map<Key, Row> rows) throws IOException {
    String type = null;
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String where = file.getFileName() + ":" + (i + 1);
      String line = lines.get(i).replaceAll("(^|\\s)#.*", "").strip();
      if (line.startsWith("[")) {
        type = line.substring(1, line.length() - 1);
      } else if (!line.isEmpty()) {
        String[] words = line.split("\\s+");
        if (type == null || words.length < 3) {
          throw new RelinkException(where + ": a row is a method, its parameters and what they may be, below a class");
        }
        Key key = new Key(type, words[0], words[1].substring(0, words[1].indexOf(')') + 1));
        Row before = rows.put(key, row(where, Arrays.asList(words).subList(2, words.length)));
        if (before != null) {
          throw new RelinkException(where + ": " + key + " has a row at " + before.where() + " already");
        }
      }
    }
  }

  private static Row row(String where, List<String> words) {
    List<Argument> arguments = new ArrayList<>();
    String check = null;
    for (String word : words) {
      int equals = word.indexOf('=');
      if (word.startsWith("!")) {
        check = word.substring(1);
      } else if (equals > 0) {
        arguments.add(new Argument(word.substring(0, equals), word.substring(equals + 1)));
      } else {
        throw new RelinkException(where + ": an argument is name=kind, not " + word);
      }
    }
    return new Row(where, arguments, check);
  }

  /**
   * Returns the row of a native method. Throws if a method with parameters has no row; null if it has no parameters.
   */
  Row of(Method method, int parameters) {
    if (parameters == 0) {
      return null;
    }
    String list = method.descriptor().substring(0, method.descriptor().indexOf(')') + 1);
    Key key = new Key(method.type(), method.name(), list);
    if (!rows.containsKey(key)) {
      key = new Key(method.type(), ANY, list);
    }
    Row row = rows.get(key);
    if (row == null) {
      throw new RelinkException("no row says what the arguments may be of " + method);
    }
    if (row.arguments().size() != parameters) {
      throw new RelinkException(row.where() + ": " + method + " has " + parameters + " parameters");
    }
    met.add(key);
    return row;
  }

  /** Throws if a row matches no native method. */
  void requireAllMet() {
    List<String> idle =
        rows.entrySet().stream()
            .filter(row -> !met.contains(row.getKey()))
            .map(row -> row.getValue().where() + ": there is no native method " + row.getKey())
            .toList();
    if (!idle.isEmpty()) {
      throw new RelinkException(String.join("\n  ", idle));
    }
  }
}
