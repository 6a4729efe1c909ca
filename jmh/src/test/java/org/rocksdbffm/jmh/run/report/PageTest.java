/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.run.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the pages of the benchmarks have only measurements that are in the file of results next to them. */
class PageTest {
  private static final Path FIRST = Path.of("../docs/benchmarks.md");
  private static final Path PAGE = Path.of("../docs/benchmarks/all.md");
  private static final Path PROGRAMS = Path.of("../docs/benchmarks/programs.md");
  private static final int SCREEN = 52;
  private static final ResultFile RESULTS =
      new ResultFile(Path.of("../docs/benchmarks/results.json").toAbsolutePath().normalize());
  private static final Pattern FIGURE =
      Pattern.compile("\\d[\\d.,]*\\s*(x|×|ns|µs|us|ms|s|seconds|%|per cent|percent|B/op|times)\\b");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

  private static final Pattern PLOT = Pattern.compile("!\\[[^\\]]*\\]\\(([^)]+)\\)");

  private static String text;
  private static String first;
  private static String programs;

  @BeforeAll
  static void read() throws Exception {
    text = Files.readString(PAGE);
    first = Files.readString(FIRST);
    programs = Files.readString(PROGRAMS);
  }

  @Test
  void theFirstPageIsOneScreen() {
    assertTrue(first.lines().count() <= SCREEN, first);
  }

  @Test
  void whatIsInTheBlocksFollowsFromTheResults() throws Exception {
    assertEquals(new Page(RESULTS).fill(first), first, "Run ./bench pages");
  }

  /**
   * The tables are created for the site only, because thousands of numbers would make the page in the repository
   * unreadable.
   */
  @Test
  void thePageOfAllRowsIsKeptWithEmptyBlocks() {
    assertEquals(Blocks.filled(text, (kind, argument) -> ""), text);
    assertEquals(Blocks.filled(programs, (kind, argument) -> ""), programs);
  }

  @Test
  void thePageIsWrittenWithItsTablesAndPlots(@TempDir Path folder) throws Exception {
    Path made = folder.resolve("made/all.md");
    Page.main(new String[] {PAGE.toString(), RESULTS.path().toString(), made.toString()});
    String written = Files.readString(made);
    assertTrue(written.contains("<!-- table get -->\n| "), written);
    List<String> plots = PLOT.matcher(written).results().map(match -> match.group(1)).toList();
    assertTrue(plots.contains("results-get-100.svg"), plots::toString);
    plots.forEach(plot -> assertTrue(Files.exists(made.resolveSibling(plot)), plot));
  }

  @Test
  void whatPeopleWroteHasNoFigures() {
    List<String> figures =
        FIGURE.matcher(Blocks.prose(text + first + programs)).results().map(MatchResult::group).toList();
    assertEquals(List.of(), figures);
  }

  @Test
  void theLimitsComeFirst() {
    List<String> headings = text.lines().filter(line -> line.startsWith("## ")).toList();
    assertEquals("## Limits of these numbers", headings.get(0));
    assertEquals("## The machine", headings.get(1));
  }

  @Test
  void whatThePageLinksToIsThere() {
    requireLinks(PAGE, text);
    requireLinks(FIRST, first);
    requireLinks(PROGRAMS, programs);
  }

  private static void requireLinks(Path page, String itsText) {
    List<String> links = LINK.matcher(itsText).results().map(match -> match.group(1)).toList();
    assertFalse(links.isEmpty());
    links.forEach(link -> assertTrue(Files.exists(page.resolveSibling(link)), link));
  }

  @Test
  void everyGroupOfTheResultsIsOnThePage() throws Exception {
    for (Result result : RESULTS.read()) {
      assertTrue(text.contains("<!-- table " + result.group() + " -->"), result::group);
    }
  }

  @Test
  void aBlockIsFilledAndWhatIsAroundItStays() throws Exception {
    Page page = new Page(RESULTS);
    String filled = page.fill("before\n<!-- machine -->\nold\n<!-- end -->\nafter\n");
    assertTrue(filled.startsWith("before\n<!-- machine -->\n| | |\n"), filled);
    assertTrue(filled.endsWith("<!-- end -->\nafter\n"), filled);
    assertFalse(filled.contains("old"), filled);
    assertEquals("before\n\nafter\n", Blocks.prose(filled));
  }
}
