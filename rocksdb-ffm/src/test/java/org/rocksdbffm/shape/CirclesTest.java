/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Limits the number of files of a package that use each other in a circle, and so can only be understood together.
 * {@link ShapeTest} tests that packages form no circle.
 */
class CirclesTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final int MOST = 5;

  /** The packages with larger circles. These numbers may only fall. */
  private static final Map<String, Integer> LARGER =
      Map.of("org.rocksdbffm", 35, "org.rocksdbffm.internal.order", 7);

  private static final Pattern NO_NAMES =
      Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(\\\\.|[^\"\\\\\\n])*\"|(?m)^(import|package) [^\n]*", Pattern.DOTALL);

  @Test
  void noCircleOfFilesIsLargerThanFive() throws IOException {
    Map<String, Integer> larger = new TreeMap<>();
    List<Path> folders;
    try (Stream<Path> all = Files.walk(MAIN)) {
      folders = all.filter(Files::isDirectory).toList();
    }
    for (Path folder : folders) {
      String name = MAIN.relativize(folder).toString().replace('/', '.');
      int largest = largestCircle(names(folder));
      if (largest > LARGER.getOrDefault(name, MOST)) {
        larger.put(name, largest);
      }
    }
    assertEquals(Map.of(), larger);
  }

  @Test
  void aCircleHasAllFilesFromWhichAWayLeadsBack() {
    Map<String, Set<String>> two =
        Map.of("A", Set.of("B"), "B", Set.of("C", "D"), "C", Set.of("A"), "D", Set.of("E"), "E", Set.of("D"), "F",
            Set.of());
    assertEquals(3, largestCircle(two));
  }

  /** Returns, for each file of a package, the other files that it uses. */
  private static Map<String, Set<String>> names(Path folder) throws IOException {
    Map<String, Set<String>> words = new HashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String code = NO_NAMES.matcher(Files.readString(file)).replaceAll(" ");
        words.put(file.getFileName().toString().replace(".java", ""), new HashSet<>(List.of(code.split("\\W+"))));
      }
    }
    Map<String, Set<String>> named = new HashMap<>();
    words.forEach(
        (file, all) -> named.put(file, all.stream().filter(words::containsKey).collect(Collectors.toSet())));
    return named;
  }

  private static int largestCircle(Map<String, Set<String>> named) {
    Map<String, Set<String>> reached = new HashMap<>();
    named.keySet().forEach(file -> reached.put(file, reachedFrom(file, named)));
    int largest = 0;
    for (String file : named.keySet()) {
      Set<String> circle = new HashSet<>(reached.get(file));
      circle.removeIf(other -> !reached.get(other).contains(file));
      largest = Math.max(largest, circle.size());
    }
    return largest;
  }

  private static Set<String> reachedFrom(String file, Map<String, Set<String>> named) {
    Set<String> reached = new HashSet<>(Set.of(file));
    Deque<String> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      named.get(open.pop()).stream().filter(reached::add).forEach(open::push);
    }
    return reached;
  }
}
