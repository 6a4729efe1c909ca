/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Limits of the sources of all modules, without generated code. The numbers may only fall. */
class SourcesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> SKIPPED = Set.of("target", "generated", ".git");
  private static final int COLUMNS = 120;
  private static final int LINES_OF_A_SMALL_POM = 40;
  private static final int LARGE_POMS = 21;
  private static final int NAMES_TWICE = 12;
  private static final int LINES_OF_CODE = 169_914;

  /** Modules with lines that are longer; no other module has one. */
  private static final Map<String, Integer> LONG_LINES =
      Map.of(
          "rocksdb-ffm-archive/src/main", 30,
          "rocksdb-ffm-archive/src/test", 10,
          "rocksdb-ffm/src/main", 235,
          "rocksdb-ffm/src/test", 25,
          "rocksdb-ffm-compat/relinker/src/test", 7);

  private static List<Path> files(String suffix) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean isSkipped = SKIPPED.contains(folder.getFileName().toString());
            return isSkipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().endsWith(suffix)) {
              found.add(ROOT.relativize(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void fewTopLevelNamesOfMainCodeAreUsedTwice() throws IOException {
    Map<String, List<Path>> named =
        files(".java").stream()
            .filter(file -> file.toString().contains("/src/main/java/"))
            .collect(Collectors.groupingBy(file -> file.getFileName().toString(), TreeMap::new, Collectors.toList()));
    named.keySet().removeAll(Set.of("package-info.java", "module-info.java"));
    named.values().removeIf(files -> files.size() == 1);
    assertTrue(named.size() <= NAMES_TWICE, () -> named.size() + " names: " + named);
  }

  @Test
  void linesHave120Columns() throws IOException {
    Map<String, Integer> tooLong = new TreeMap<>();
    for (Path file : files(".java")) {
      int count = (int) lines(file).stream().filter(line -> line.length() > COLUMNS).count();
      if (count > 0) {
        tooLong.merge(partOf(file), count, Integer::sum);
      }
    }
    Map<String, Integer> more = new TreeMap<>(tooLong);
    more.entrySet().removeIf(part -> part.getValue() <= LONG_LINES.getOrDefault(part.getKey(), 0));
    assertEquals(Map.of(), more, "lines of more than " + COLUMNS + " columns");
  }

  @Test
  void allModulesHaveFewLinesOfCode() throws IOException {
    int count = files(".java").stream().mapToInt(file -> linesOfCode(lines(file))).sum();
    assertTrue(count < LINES_OF_CODE, () -> count + " lines; build/count-lines counts them, too");
    assertEquals(3, linesOfCode(List.of("/** A", " * b. */", "", "int c; // d", "/* e */ int f;", "// g", "int h;")));
  }

  private static int linesOfCode(List<String> lines) {
    int count = 0;
    boolean inComment = false;
    for (String line : lines) {
      String code = line.strip();
      if (inComment || code.startsWith("/*")) {
        int end = code.indexOf("*/");
        inComment = end < 0;
        code = inComment ? "" : code.substring(end + 2).strip();
      }
      count += code.isEmpty() || code.startsWith("//") ? 0 : 1;
    }
    return count;
  }

  /** Returns the folder of a module and the kind of its sources: rocksdb-ffm/src/main. */
  private static String partOf(Path file) {
    String path = file.toString();
    int kind = path.indexOf("/", path.indexOf("/src/") + "/src/".length());
    return path.contains("/src/") ? path.substring(0, kind) : path;
  }

  @Test
  void mostPomsAreSmall() throws IOException {
    List<Path> large = files("pom.xml").stream().filter(pom -> lines(pom).size() > LINES_OF_A_SMALL_POM).toList();
    assertTrue(large.size() <= LARGE_POMS, () -> large.size() + " poms: " + large);
  }
}
