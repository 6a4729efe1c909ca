/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.upstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of a test class: the numbers of passed and ignored tests, and the failed tests with their messages. */
record ClassResult(String name, int passed, int ignored, Map<String, String> failures, long seconds) {
  private static final String FIELD = "\t";

  /** Returns the result of a class whose JVM ended early or ran too long. */
  static ClassResult lost(String name, String reason, long seconds) {
    return new ClassResult(name, 0, 0, Map.of(name, reason), seconds);
  }

  static ClassResult read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String[] counts = lines.getFirst().split(FIELD);
    Map<String, String> failures = new TreeMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] failure = line.split(FIELD, 2);
      failures.put(failure[0], failure[1]);
    }
    return new ClassResult(
        counts[0], Integer.parseInt(counts[1]), Integer.parseInt(counts[2]), failures, Long.parseLong(counts[3]));
  }

  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(String.join(FIELD, name, "" + passed, "" + ignored, "" + seconds)).append('\n');
    failures.forEach((test, message) -> text.append(test).append(FIELD).append(message).append('\n'));
    Files.writeString(file, text);
  }

  boolean isEmpty() {
    return passed + ignored + failures.size() == 0;
  }

  /** Returns a class's name without the package, as on the page of gaps. */
  static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
