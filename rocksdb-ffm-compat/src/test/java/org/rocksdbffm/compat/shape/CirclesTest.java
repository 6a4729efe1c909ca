/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that no large group of files, and no two packages, use each other in a circle. */
class CirclesTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final int MOST = 5;

  private static final Pattern COMMENT_OR_TEXT =
      Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(\\\\.|[^\"\\\\\\n])*\"", Pattern.DOTALL);
  private static final Pattern IMPORT = Pattern.compile("(?m)^(import|package) [^\n]*");
  private static final Pattern PACKAGE =
      Pattern.compile("import (?:static )?(org\\.rocksdbffm\\.compat\\.[a-z.]+)\\.[A-Z]");

  @Test
  void noCircleOfFilesIsLargerThanFive() throws IOException {
    Map<String, Integer> larger = new TreeMap<>();
    for (Map.Entry<String, Map<String, String>> folder : code().entrySet()) {
      int largest =
          circles(namesIn(folder.getValue())).stream().mapToInt(Set::size).max().orElse(0);
      if (largest > MOST) {
        larger.put(folder.getKey(), largest);
      }
    }
    assertEquals(Map.of(), larger);
  }

  @Test
  void noPackagesFormACircle() throws IOException {
    Map<String, Set<String>> used = new TreeMap<>();
    code().forEach((name, files) -> used.put(
        name,
        files.values().stream()
            .flatMap(file -> PACKAGE.matcher(file).results())
            .map(match -> match.group(1))
            .collect(Collectors.toSet())));
    used.forEach((name, its) -> its.remove(name));
    assertEquals(Set.of(), circles(used));
  }

  /** Returns the code of all packages, by the names of their files, without comments and texts. */
  private static Map<String, Map<String, String>> code() throws IOException {
    Map<String, Map<String, String>> code = new TreeMap<>();
    List<Path> sources;
    try (Stream<Path> all = Files.walk(MAIN)) {
      sources = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path file : sources) {
      code.computeIfAbsent(MAIN.relativize(file.getParent()).toString().replace('/', '.'), ignored -> new TreeMap<>())
          .put(
              file.getFileName().toString().replace(".java", ""),
              COMMENT_OR_TEXT.matcher(Files.readString(file)).replaceAll(" "));
    }
    return code;
  }

  /** Returns the other files of the package that each file names. */
  private static Map<String, Set<String>> namesIn(Map<String, String> files) {
    Map<String, Set<String>> named = new TreeMap<>();
    files.forEach((file, code) -> {
      Set<String> words = new HashSet<>(List.of(IMPORT.matcher(code).replaceAll(" ").split("\\W+")));
      words.retainAll(files.keySet());
      named.put(file, words);
    });
    return named;
  }

  /** Returns the largest sets of at least two elements, each of which leads to all others. */
  private static Set<Set<String>> circles(Map<String, Set<String>> arrows) {
    Map<String, Set<String>> reached = new TreeMap<>();
    arrows.keySet().forEach(from -> reached.put(from, reachedFrom(from, arrows)));
    Set<Set<String>> circles = new HashSet<>();
    for (String each : arrows.keySet()) {
      Set<String> circle = new TreeSet<>(reached.get(each));
      circle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(each));
      if (circle.size() > 1) {
        circles.add(circle);
      }
    }
    return circles;
  }

  private static Set<String> reachedFrom(String from, Map<String, Set<String>> arrows) {
    Set<String> reached = new HashSet<>(Set.of(from));
    Deque<String> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      arrows.getOrDefault(open.pop(), Set.of()).stream().filter(reached::add).forEach(open::push);
    }
    return reached;
  }

  @Test
  void aCircleContainsAllFilesFromWhichAWayLeadsBack() {
    assertEquals(
        Set.of(Set.of("A", "B", "C"), Set.of("D", "E")),
        circles(
            Map.of(
                "A", Set.of("B"), "B", Set.of("C", "D"), "C", Set.of("A"), "D", Set.of("E"), "E", Set.of("D"), "F",
                Set.of("A"))));
  }
}
