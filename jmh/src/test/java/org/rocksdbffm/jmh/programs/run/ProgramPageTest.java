/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the pages tell nothing of programs that is not in the file of results beside them. */
class ProgramPageTest {
  private static final Path RESULTS = Path.of("../docs/benchmarks/programs.json");
  private static final List<Path> PAGES =
      List.of(Path.of("../docs/benchmarks.md"), Path.of("../docs/benchmarks/programs.md"));

  @Test
  void theBlocksFollowFromTheResults() throws Exception {
    ProgramPage filler = ProgramPage.of(RESULTS);
    for (Path page : PAGES) {
      String text = Files.readString(page);
      assertTrue(text.contains("<!-- programs "), page::toString);
      assertEquals(filler.fill(text), text, "Run org.rocksdbffm.jmh.programs.run.ProgramPage with " + RESULTS + " " + page);
    }
  }

  @Test
  void everyProgramIsOnThePage() throws Exception {
    String text = Files.readString(PAGES.getLast());
    for (ProgramRow row : ProgramRow.all()) {
      assertTrue(text.contains("| " + row.name() + " | "), row::name);
    }
  }
}
