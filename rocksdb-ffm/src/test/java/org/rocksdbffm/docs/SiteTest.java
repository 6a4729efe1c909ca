/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The navigation of the site has each page and the API of each library, and its search finds guessed names. */
class SiteTest {
  private static final Path ROOT = Path.of("..");

  // The API of the drop-in is the API of upstream, and the BOM has none.
  private static final List<String> WITHOUT_API = List.of("compat", "bom");

  private static final Pattern COORDINATE =
      Pattern.compile("\"org\\.rocksdbffm:rocksdb-ffm(-[a-z0-9-]+)?(?::([^:\"]+))?(?::([^:\"]+))?\"");

  private static String navigation() throws IOException {
    return Files.readString(ROOT.resolve("build/site.d/mkdocs.yml"));
  }

  /** Returns the modules that are published besides the core, without the common start of their names, in order. */
  private static List<String> libraries() throws IOException {
    return Pattern.compile("<module>rocksdb-ffm-([a-z0-9-]+)</module>")
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map((MatchResult module) -> module.group(1))
        .sorted()
        .toList();
  }

  @Test
  void eachPageIsInTheNavigation() throws IOException {
    String navigation = navigation();
    try (Stream<Path> pages = Stream.concat(
        Files.list(ROOT.resolve("docs")), Files.list(ROOT.resolve("docs/how-to")))) {
      List<String> missing = pages.map(page -> ROOT.relativize(page).toString())
          .filter(page -> page.endsWith(".md") && !navigation.contains(page))
          .sorted()
          .toList();
      assertEquals(List.of(), missing);
    }
  }

  @Test
  void theApiOfEachLibraryIsInTheNavigationAndMadeForTheSite() throws IOException {
    String navigation = navigation();
    String made = Pattern.compile("(?m)^for module in (.*); do$")
        .matcher(Files.readString(ROOT.resolve("build/site")))
        .results()
        .map(loop -> loop.group(1))
        .findFirst()
        .orElseThrow();
    List<String> libraries = libraries().stream().filter(module -> !WITHOUT_API.contains(module)).toList();
    assertTrue(libraries.contains("archive"), libraries::toString);
    assertEquals(libraries, Stream.of(made.split(" ")).sorted().toList());
    assertEquals(List.of(),
        libraries.stream().filter(module -> !navigation.contains(": api-" + module + "/")).toList());
    assertTrue(navigation.contains(": api/org.rocksdbffm/"), "the core");
  }

  @Test
  void theCoordinatesOfEachLibraryForMavenAndGradleAreOnAPage() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        text.append(Files.readString(page));
      }
    }
    for (String module : libraries()) {
      String artifact = "rocksdb-ffm-" + module;
      assertTrue(text.indexOf("<artifactId>" + artifact + "</artifactId>") >= 0, () -> artifact + ": Maven");
      assertTrue(text.indexOf("(\"org.rocksdbffm:" + artifact + ":") >= 0, () -> artifact + ": Gradle");
    }
  }

  @Test
  void eachCoordinateForGradleOnAPageNamesAPublishedModuleOfThisVersionAndAPlatform() throws IOException {
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    String version = parent.substring(parent.indexOf("<version>") + "<version>".length(), parent.indexOf("</version>"));
    List<String> modules =
        Stream.concat(Stream.of("", "-native"), libraries().stream().map(name -> "-" + name)).toList();
    String platforms = Files.readString(ROOT.resolve("native-stubs/platforms.txt"));
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (Path page : pages()) {
      for (MatchResult found : COORDINATE.matcher(Files.readString(page)).results().toList()) {
        count++;
        String classifier = found.group(3);
        boolean isKnown = modules.contains(Objects.requireNonNullElse(found.group(1), ""))
            && (found.group(2) == null || found.group(2).equals(version))
            && "-native".equals(found.group(1)) == (classifier != null)
            && (classifier == null || platforms.contains("\n" + classifier + " "));
        if (!isKnown) {
          wrong.add(page + ": " + found.group());
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(count >= 10, "" + count);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
  }

  /** The site's search reads the text of all pages. */
  @ParameterizedTest
  @ValueSource(strings = {"openReadOnly(path)", "put(key, value, WriteOptions)", "transact", "columnFamily(name)",
      "archive", "encrypt", "resume", "wide column", "getAsync", "putEntity", "reversed", "bloomFilter", "Micrometer",
      "exportColumnFamily", "changesSince", "isValid", "liveFiles", "pauseBackgroundWork", "getTickerCount"})
  void aGuessedNameIsInTheIndexOfNames(String guess) throws IOException {
    assertTrue(navigation().contains("\nplugins: [search]\n"), "the site has no search");
    try (Stream<String> lines = Files.lines(ROOT.resolve("docs/names.md"))) {
      assertTrue(lines.anyMatch(line -> line.startsWith("| ") && line.split("\\|")[1].contains(guess)), guess);
    }
  }
}
