/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the documentation's programs compile, run and print the documented output, that its links lead to files,
 * and that sentences name their subjects.
 */
class DocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final String NO_SUBJECT = "What|Who|Whoever|Whose|Likewise";
  private static final List<String> NOT_WRITTEN = List.of("target", "src/generated", ".git");
  private static final List<Pattern> LINKS =
      List.of(
          Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)"),
          Pattern.compile("(?m)^\\[[^\\]\\n]+]: ([^\\s#:]+)(#\\S*)?$"));

  @TempDir Path folder;

  @Test
  void theTutorialRunsAsItIsWritten() throws IOException {
    assertRuns("docs/tutorial.md", 20);
  }

  @Test
  void theThirtyTasksRunAsTheyAreWritten() throws IOException {
    assertRuns("docs/thirty-tasks.md", 30);
  }

  @ParameterizedTest
  @MethodSource("pagesOfRecipes")
  void theRecipesRunAsTheyAreWritten(String page) throws IOException {
    assertRuns(page, 0);
  }

  /** The index lists each recipe, in the order of the pages, with a link to GitHub's anchor of its heading. */
  @Test
  void theIndexOfTheRecipesHasEach() throws IOException {
    Path howTo = ROOT.resolve("docs/how-to");
    String index = Files.readString(howTo.resolve("README.md"));
    List<String> recipes = new ArrayList<>();
    for (String page : all("(?m)^## \\[.*]\\((.*)\\)$", index)) {
      for (String recipe : all("(?m)^## (\\.\\.\\. .*)$", Files.readString(howTo.resolve(page)))) {
        String anchor = recipe.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
        recipes.add("[" + recipe + "](" + page + "#" + anchor + ")");
      }
    }
    assertEquals(recipes, all("(?m)^- (.*)$", index));
    assertEquals(pagesOfRecipes().size(), all("(?m)^## (.*)$", index).size());
    assertTrue(recipes.size() >= 37, recipes::toString);
  }

  private static List<String> pagesOfRecipes() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/how-to"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
          .map(name -> "docs/how-to/" + name)
          .sorted()
          .toList();
    }
  }

  @Test
  void thePageOfEntitiesRunsAsItIsWritten() throws IOException {
    assertRuns("docs/entities.md", 2);
  }

  @Test
  void theProgramsOfTheReadmeRunAsTheyAreWritten() throws IOException {
    assertRuns("README.md", 2);
  }

  /** A row of README's table names a benchmark row, perhaps in parentheses, and has a measurement of that row. */
  @Test
  void theFiguresOfTheReadmeAreThoseOfTheBenchmarks() throws IOException {
    String benchmarks = Files.readString(ROOT.resolve("docs/benchmarks.md"));
    Pattern row = Pattern.compile("(?m)^\\| (?:.*\\()?([^|(]*?)(?:\\).*)? \\| (\\d\\S*x)");
    List<String> other = new ArrayList<>();
    row.matcher(Files.readString(ROOT.resolve("README.md"))).results()
        .filter(figure ->
            !all("(?m)^\\| " + figure.group(1) + " \\|(.*)$", benchmarks).toString().contains(figure.group(2)))
        .forEach(figure -> other.add(figure.group()));
    assertEquals(List.of(), other);
  }

  private void assertRuns(String page, int leastBlocks) throws IOException {
    MarkdownProgram program = new MarkdownProgram(ROOT.resolve(page));
    assertTrue(program.blockCount() >= leastBlocks, page + " has " + program.blockCount() + " blocks of Java");
    assertEquals(program.expectedOutput(), program.run(folder));
  }

  @Test
  void everyLinkToAFileOfTheRepositoryLeadsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      LINKS.stream()
          .flatMap(pattern -> pattern.matcher(text).results())
          .map(link -> link.group(1))
          .filter(target -> !Files.exists(page.resolveSibling(target)))
          .forEach(target -> broken.add(page + " -> " + target));
    }
    assertEquals(List.of(), broken);
  }

  /**
   * The page and its picture name each package, and each link of a method leads to the file that contains the method.
   */
  @Test
  void thePageOfTheArchitectureIsThatOfTheCode() throws IOException {
    Path docs = ROOT.resolve("docs");
    String page = Files.readString(docs.resolve("architecture.md"));
    String picture = Files.readString(docs.resolve("architecture.svg"));
    Path internal = Path.of("src/main/java/org/rocksdbffm/internal");
    List<String> missing = new ArrayList<>();
    try (Stream<Path> files = Files.walk(internal)) {
      for (Path info : files.filter(file -> file.endsWith("package-info.java")).toList()) {
        String name = internal.relativize(info.getParent()).toString().replace('/', '.');
        if (!page.contains("`" + name + "`") || !picture.contains(">" + name + "<")) {
          missing.add(name);
        }
      }
    }
    Matcher target = Pattern.compile("(?m)^\\[`(\\w+\\.)?(\\w+)`]: (.*)$").matcher(page);
    int methods = 0;
    while (target.find()) {
      Path file = docs.resolve(target.group(3));
      boolean isMethod = target.group(1) != null;
      methods += isMethod ? 1 : 0;
      if (!Files.exists(file) || isMethod && !Files.readString(file).contains(" " + target.group(2) + "(")) {
        missing.add(target.group());
      }
    }
    List<String> targets = all("(?m)^\\[(`.*`)]: ", page);
    all("\\[(`[^`]*`)](?!: )", page).stream().filter(link -> !targets.contains(link)).forEach(missing::add);
    assertEquals(List.of(), missing);
    assertTrue(methods > 5, page);
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyDecisionIsInTheIndexAndSaysWhatItMustSay() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/adr/README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/adr"))) {
      List<Path> decisions = files.filter(file -> file.getFileName().toString().matches("\\d{4}-.*\\.md")).toList();
      assertTrue(decisions.size() >= 9, decisions::toString);
      for (Path decision : decisions) {
        String text = Files.readString(decision);
        assertTrue(index.contains("(" + decision.getFileName() + ")"), decision + " is not in the index");
        assertEquals(List.of(), missing(text), decision.toString());
      }
    }
  }

  @Test
  void noSentenceOfACommentBeginsWithAWordThatNamesNoSubject() throws IOException {
    List<Path> sources = files(".*\\.(java|c|h)");
    List<String> found = new ArrayList<>();
    for (Path source : sources) {
      for (int line : withoutSubject(Files.readString(source))) {
        found.add(source + ":" + line);
      }
    }
    assertEquals("", String.join("\n", found));
    assertTrue(sources.size() > 500, sources.size() + " files were read");
  }

  @Test
  void aSentenceWithoutASubjectIsFoundInEachKindOfComment() {
    assertEquals(List.of(1), withoutSubject("/** What is told. */"));
    assertEquals(List.of(1), withoutSubject("int a; // What is told"));
    assertEquals(List.of(2), withoutSubject("/*\n * Who asks is told.\n */"));
    assertEquals(List.of(1), withoutSubject("/** One. Likewise, two. */"));
    assertEquals(List.of(2), withoutSubject("/* One.\n * Whose it is. */"));
    assertEquals(List.of(3), withoutSubject("/**\n * One.\n * <p>Whoever asks. */"));
    assertEquals(List.of(2, 4), withoutSubject("char q = '\"';\n// What\nchar r = '\\'';\n/* (What) */"));
    assertEquals(List.of(), withoutSubject("String s = \"\\\"// What is told\" + \"/* Who */\";"));
    assertEquals(List.of(), withoutSubject("String s = \"\"\"\n// What \"is\" told\n\"\"\";"));
    assertEquals(List.of(), withoutSubject("// The value says what it is, and who. Whole rows count, not What."));
  }

  /** Finds only capitalized words, which start a sentence; skips code and quoted words. */
  @Test
  void noSentenceOfAPageATableOrTheBuildBeginsWithAWordThatNamesNoSubject() throws IOException {
    Pattern word = Pattern.compile("\\b(?:" + NO_SUBJECT + ")\\b");
    Pattern code = Pattern.compile("```.*?```|`[^`\\n]*`|\"\\w+\"", Pattern.DOTALL);
    List<Path> texts = files(".*\\.(md|xml|txt|cmake|routes|arguments)");
    List<String> found = new ArrayList<>();
    for (Path text : texts) {
      word.matcher(code.matcher(Files.readString(text)).replaceAll("")).results()
          .forEach(match -> found.add(text + ": " + match.group()));
    }
    assertEquals("", String.join("\n", found));
    assertTrue(texts.size() > 80, texts.size() + " files were read");
  }

  private static List<Integer> withoutSubject(String source) {
    return new SourceComments(source).linesWithSentencesThatBeginWith(NO_SUBJECT);
  }

  /** Returns the files whose paths match a pattern, without generated files. */
  private static List<Path> files(String pattern) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_WRITTEN.stream().anyMatch(folder::endsWith)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().matches(pattern)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static List<String> missing(String decision) {
    return Stream.of("Status: ", "## Context\n", "## Decision\n", "## Consequences\n")
        .filter(part -> !decision.contains("\n" + part))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String name : List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md")) {
      pages.add(ROOT.resolve(name));
    }
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }
}
