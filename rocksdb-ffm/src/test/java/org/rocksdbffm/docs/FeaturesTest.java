/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.RocksDb;

/** Tests that the page of features names all types of the public API, and no type or method that does not exist. */
class FeaturesTest {
  private static final Path NAMES = Path.of("..", "docs", "names.md");
  private static final Path PAGE = Path.of("..", "docs", "features.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "org", "rocksdbffm");
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)(?:\\.(\\w+))?`");
  private static final int CORE = 3;

  @Test
  void eachRowTellsOfAllThree() throws IOException {
    for (String line : rows()) {
      assertEquals(List.of(), Arrays.stream(cells(line)).skip(2).filter(String::isBlank).toList(), line);
      assertEquals(CORE + 2, cells(line).length, line);
    }
  }

  @Test
  void eachNameInTheColumnOfTheCoreIsInItsApi() throws IOException {
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (String line : rows()) {
      for (var name : NAME.matcher(cells(line)[CORE]).results().toList()) {
        found++;
        if (!isPublic(name.group(1), name.group(2))) {
          missing.add(name.group());
        }
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(found > 80, found + " names");
  }

  @Test
  void eachNameThatAGuessLeadsToIsInTheApi() throws IOException {
    List<String> rows = Files.readAllLines(NAMES).stream().filter(line -> line.startsWith("| `")).toList();
    List<String> missing = new ArrayList<>();
    for (String line : rows) {
      List<MatchResult> names = NAME.matcher(cells(line)[2]).results().toList();
      assertFalse(names.isEmpty(), line);
      names.stream().filter(name -> !isPublic(name.group(1), name.group(2))).forEach(name -> missing.add(name.group()));
    }
    assertEquals(List.of(), missing);
    assertTrue(rows.size() > 20, rows.size() + " rows");
  }

  @Test
  void eachPublicTypeIsOnThePage() throws IOException {
    String page = Files.readString(PAGE);
    try (Stream<Path> files = Stream.concat(Files.list(SOURCES), Files.list(SOURCES.resolve("reports")))) {
      List<String> missing =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.matches("[A-Z]\\w*\\.java"))
              .map(file -> file.replace(".java", ""))
              .filter(type -> isPublic(type, null))
              .filter(type -> !page.contains("`" + type + "`") && !page.contains("`" + type + "."))
              .sorted()
              .toList();
      assertEquals(List.of(), missing);
    }
  }

  private static List<String> rows() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| ") && !line.startsWith("| |")).toList();
    assertTrue(rows.size() > 50, rows.size() + " rows");
    return rows;
  }

  private static String[] cells(String line) {
    return line.split("\\|");
  }

  /** Whether a public type of the exported packages has the name, or a method or a type within it. */
  private static boolean isPublic(String type, String member) {
    String name = RocksDb.class.getPackageName();
    return Stream.of(name, name + ".reports")
        .flatMap(owner -> find(owner + "." + type).stream())
        .filter(found -> Modifier.isPublic(found.getModifiers()))
        .anyMatch(found -> member == null || names(found).anyMatch(member::equals));
  }

  private static Optional<Class<?>> find(String name) {
    try {
      return Optional.of(Class.forName(name));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static Stream<String> names(Class<?> type) {
    return Stream.concat(
        Arrays.stream(type.getMethods()).map(Method::getName),
        Arrays.stream(type.getClasses()).map(Class::getSimpleName));
  }
}
