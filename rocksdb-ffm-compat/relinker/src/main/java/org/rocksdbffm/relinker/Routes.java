/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The route table: a folder of text files, one for each area. A line in brackets names the class of the following
 * rows. A row names a method and its target.
 *
 * <pre>
 * [org.rocksdb.Options]
 * maxOpenFiles (J)I       c rocksdb_options_get_max_open_files
 * iterator (JJJ)J         c rocksdb_create_iterator_cf 0 2 1     # the Java parameters in C's order
 * setEnv (JJ)V            jni
 * getMapProperty (JJLjava/lang/String;I)Ljava/util/Map;   env                    # with a JNIEnv of upcalls
 * open (JLjava/lang/String;)J   glue Opening.open
 * put (J[BI)V             glue Writes.write =PUT 0 1 =0 2        # the arguments: parameters by index, and constants
 * foo (J)V                none   the reason, for the exception
 * loadLibrary (Ljava/lang/String;)V   instead Loading.load       # replaces a Java method
 * </pre>
 */
record Routes(Map<Method, Route> rows) {
  static Routes read(Path folder) throws IOException {
    Map<Method, Route> rows = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".routes")).sorted().toList()) {
        readFile(file, rows);
      }
    }
    return new Routes(rows);
  }

  private static void readFile(Path file, Map<Method, Route> rows) throws IOException {
    String type = null;
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String where = file.getFileName() + ":" + (i + 1);
      String line = lines.get(i).replaceAll("(^|\\s)#.*", "").strip();
      if (line.isEmpty()) {
        continue;
      }
      if (line.startsWith("[")) {
        type = line.substring(1, line.length() - 1);
        continue;
      }
      String[] words = line.split("\\s+");
      if (type == null || words.length < 3) {
        throw new RelinkException(where + ": a row is a method, its descriptor and a route, below a class in brackets");
      }
      Method method = new Method(type, words[0], words[1]);
      Route before = rows.put(method, route(where, words, line));
      if (before != null) {
        throw new RelinkException(where + ": " + method + " has a row at " + before.where() + " already");
      }
    }
  }

  private static Route route(String where, String[] words, String line) {
    return switch (words[2]) {
      case "c" -> new Route.ToC(where, argument(where, words), order(words));
      case "jni" -> new Route.ToEntryPoint(where);
      case "env" -> new Route.ToEnvironment(where);
      case "glue" -> new Route.ToGlue(where, target(where, words));
      case "instead" -> new Route.Instead(where, target(where, words));
      case "none" -> {
        argument(where, words);
        yield new Route.ToNothing(where, line.replaceFirst("^\\S+\\s+\\S+\\s+none\\s+", ""));
      }
      default -> throw new RelinkException(where + ": there is no route '" + words[2] + "'");
    };
  }

  private static String argument(String where, String[] words) {
    if (words.length < 4) {
      throw new RelinkException(where + ": the route '" + words[2] + "' says more than that");
    }
    return words[3];
  }

  private static List<Integer> order(String[] words) {
    return Arrays.stream(words).skip(4).map(Integer::valueOf).toList();
  }

  private static Route.Target target(String where, String[] words) {
    String[] target = argument(where, words).split("\\.");
    if (target.length != 2) {
      throw new RelinkException(where + ": glue is named as Class.method, not " + words[3]);
    }
    List<Route.Argument> arguments =
        Arrays.stream(words).skip(4).map(word -> Route.Argument.parse(where, word)).toList();
    return new Route.Target(target[0], target[1], arguments);
  }
}
