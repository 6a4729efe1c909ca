/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;
import org.rocksdbffm.jmh.run.report.Machine;

/** Tests that the pages have no results of programs that are not in the file of results next to them. */
class ProgramPageTest {
  private static final Path RESULTS = Path.of("../docs/benchmarks/programs.json");
  private static final Path FIRST = Path.of("../docs/benchmarks.md");
  private static final Path ALL = Path.of("../docs/benchmarks/programs.md");
  private static final List<String> BLOCKS = List.of("headline", "slower", "steady", "short", "machine");

  @TempDir Path folder;

  @Test
  void theBlocksFollowFromTheResults() throws Exception {
    ProgramPage filler = ProgramPage.of(RESULTS);
    String text = Files.readString(FIRST);
    assertTrue(text.contains("<!-- programs "), text);
    assertEquals(filler.fill(text), text, "Run ./bench pages");
  }

  @Test
  void withoutResultsThePagesHaveNoFigures() throws Exception {
    ProgramPage none = ProgramPage.of(folder.resolve("programs.json"));
    BLOCKS.forEach(block -> assertEquals("No run is kept here yet.\n", filled(none, block)));
  }

  @Test
  void thePagesHaveEachRowOfTheResults() throws Exception {
    Path first = Files.copy(FIRST, folder.resolve("first.md"));
    Path all = Files.copy(ALL, folder.resolve("all.md"));
    Path results = write(rows());
    ProgramPage.main(
        new String[] {results.toString(), first.toString(), first.toString(), all.toString(), all.toString()});
    String text = Files.readString(first);
    assertTrue(text.contains("| YCSB a | 0.50x | 2.00x | 2.00x | 0.50x |\n"), text);
    assertTrue(text.contains("| kafka streams | 1.00x |  | 1.00x |  |\n"), text);
    String table = Files.readString(all);
    assertTrue(table.contains("| ycsb-a | ffm | 1000 | 2.00x (2.00x to 2.00x) | 4.00 | 2.00x"), table);
    assertTrue(table.contains(", `./bench programs`, "), table);
    String again = ProgramPage.of(results).fill(table);
    assertEquals(table, again);
  }

  @Test
  void aProgramThatIsSlowerEachTimeIsToldApart() throws Exception {
    List<String> lines = filled(ProgramPage.of(write(rows())), "slower").lines().skip(2).toList();
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.getFirst().startsWith("| ycsb-a | compat | 250 | 0.50x (0.50x to 0.50x) | "), lines::toString);
    assertEquals("None.\n", filled(ProgramPage.of(write(List.of())), "slower"));
  }

  @Test
  void aBlockOfAnotherNameIsRefused() throws Exception {
    ProgramPage page = ProgramPage.of(write(rows()));
    assertThrows(IllegalArgumentException.class, () -> filled(page, "slow"));
  }

  private static String filled(ProgramPage page, String block) {
    String start = "<!-- programs " + block + " -->\n";
    String text = page.fill(start + "<!-- end -->");
    return text.substring(start.length(), text.length() - "<!-- end -->".length());
  }

  private Path write(List<ProgramResult> results) throws IOException {
    Path file = folder.resolve("made-up.json");
    new ProgramFile(file).write(new ProgramFile.Content(Machine.ofThis("./bench programs", 1), results));
    return file;
  }

  /** Returns results of the drop-in, this library and rocksdbjni with different speeds and CPU times. */
  private static List<ProgramResult> rows() {
    return List.of(
        row("ycsb-a", RunMode.STEADY, "compat", 4, 1),
        row("ycsb-a", RunMode.STEADY, "ffm", 1, 4),
        row("ycsb-a", RunMode.SHORT, "compat", 4, 1),
        row("ycsb-a", RunMode.SHORT, "ffm", 1, 4),
        row("kafka-streams", RunMode.STEADY, "compat", 2, 2),
        row("kafka-streams", RunMode.SHORT, "compat", 2, 2));
  }

  private static ProgramResult row(String name, RunMode mode, String engine, double seconds, double cpuSeconds) {
    return ProgramResult.of(name, mode, engine, List.of(run(seconds, cpuSeconds)), List.of(run(2, 2)));
  }

  private static ProgramRun run(double seconds, double cpuSeconds) {
    return new ProgramRun(new ProcessFigures(1000, 0, 0, 2_000, 5_000, 64_000, 1500, 2048, 7), seconds, cpuSeconds);
  }
}
