/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of words in CONTRIBUTING.md, applied to the modules that were rewritten with it. */
class PlainEnglishTest {
  private static final Path MAIN = Path.of("src/main/java/org/rocksdbffm");

  /** Folders of sources whose comments have no word that the table replaces; the list may only grow. */
  private static final List<Path> REWRITTEN =
      Stream.of(
              "rocksdb-ffm",
              "tools/cli",
              "rocksdb-ffm-compat",
              "rocksdb-ffm-compat/relinker",
              "rocksdb-ffm-flink",
              "lab/jcstress",
              "rocksdb-ffm-metrics",
              "rocksdb-ffm-archive",
              "rocksdb-ffm-archive-s3",
              "rocksdb-ffm-netty",
              "tools/server",
              "lab/torture",
              "examples",
              "jmh")
          .flatMap(module -> Stream.of("main", "test").map(part -> Path.of("..", module, "src", part, "java")))
          .filter(Files::isDirectory)
          .toList();

  /** Names from before the table; the set may only shrink. */
  private static final Set<String> OLD_NAMES = Set.of("begin"); // the engine's word for transactions

  /** Names of variables and methods that name a role or a movement instead of the thing. */
  private static final Pattern VAGUE_NAME =
      Pattern.compile(
          "(?<![\\w.\"])(?:its(?:[A-Z]\\w*)?|these|those|theirs|told|tells?|hear|letGo|letsGo|begun|gone|moment)\\b");

  private static final Pattern NO_NAMES =
      Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"");

  private static final Pattern PUBLIC_NAME =
      Pattern.compile("(?:class|interface|record|enum) (\\w+)|public [^=;{}()]*?(\\w+)\\(");

  private static List<String> phrases() throws IOException {
    String page = Files.readString(Path.of("../CONTRIBUTING.md"));
    String section = page.substring(page.indexOf("\n## Words\n"), page.indexOf("\n## Change something for speed\n"));
    return Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\|$").matcher(section).results()
        .map(row -> row.group(1))
        .filter(words -> !words.equals("not"))
        .flatMap(words -> Stream.of(words.split(", ")))
        .toList();
  }

  private static Pattern wanted() throws IOException {
    String any = phrases().stream().map(phrase -> phrase.replace(" ", "\\s+")).collect(Collectors.joining("|"));
    return Pattern.compile("(?i)\\b(?:" + any + ")\\b(?!\\s+with\\b|\\()");
  }

  private static List<Path> sources(Path folder, int depth) throws IOException {
    try (Stream<Path> files = Files.walk(folder, depth)) {
      return files.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toCollection(ArrayList::new));
    }
  }

  private static List<Integer> lines(Pattern wanted, String source) {
    return new SourceComments(source).linesWithPhrases(wanted);
  }

  @Test
  void noCommentHasAWordThatTheTableReplaces() throws IOException {
    Pattern wanted = wanted();
    List<String> found = new ArrayList<>();
    List<Path> sources = new ArrayList<>();
    for (Path folder : REWRITTEN) {
      sources.addAll(sources(folder, Integer.MAX_VALUE));
    }
    for (Path source : sources) {
      lines(wanted, Files.readString(source)).forEach(line -> found.add(source + ":" + line));
    }
    assertEquals("", String.join("\n", found));
    assertTrue(sources.size() > 500, sources.size() + " files were read");
  }

  @Test
  void noPublicNameHasAWordThatTheTableReplaces() throws IOException {
    Set<String> words = phrases().stream().filter(phrase -> !phrase.contains(" ")).collect(Collectors.toSet());
    Set<String> found = new TreeSet<>();
    List<Path> sources = new ArrayList<>(sources(MAIN, 1));
    sources.addAll(sources(MAIN.resolve("reports"), 1));
    for (Path source : sources) {
      PUBLIC_NAME.matcher(Files.readString(source)).results()
          .map(PlainEnglishTest::name)
          .filter(name -> Stream.of(name.split("(?=[A-Z])")).anyMatch(word -> words.contains(word.toLowerCase())))
          .forEach(found::add);
    }
    assertEquals(new TreeSet<>(OLD_NAMES), found);
  }

  @Test
  void namesAreNounsAndVerbsOfTheTrade() throws IOException {
    Set<String> found = new TreeSet<>();
    List<Path> sources = sources(Path.of("src"), Integer.MAX_VALUE);
    for (Path folder : REWRITTEN) {
      if (folder.getParent().endsWith("main")) {
        sources.addAll(sources(folder, Integer.MAX_VALUE));
      }
    }
    for (Path source : sources) {
      String code = NO_NAMES.matcher(Files.readString(source)).replaceAll("\"\"");
      VAGUE_NAME.matcher(code).results().forEach(name -> found.add(source + ": " + name.group()));
    }
    assertEquals("", String.join("\n", found));
  }

  private static String name(MatchResult declaration) {
    return declaration.group(1) == null ? declaration.group(2) : declaration.group(1);
  }

  @Test
  void aPhraseIsFoundAcrossLinesAndNotInCode() throws IOException {
    Pattern wanted = wanted();
    assertEquals(List.of(3), lines(wanted, "/**\n * The rows\n * told.\n */"));
    assertEquals(List.of(1), lines(wanted, "int a; // nobody reads it"));
    assertEquals(List.of(4), lines(wanted, "/** One.\n * The keys of\n * those\n * that are new. */"));
    assertEquals(List.of(), lines(wanted, "/** {@code told} <pre>nobody</pre> @param moment now */"));
    assertEquals(List.of(), lines(wanted, "/** Texts begin with a letter. */ String s = \"nobody\";"));
  }
}
