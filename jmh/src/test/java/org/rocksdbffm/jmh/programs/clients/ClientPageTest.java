/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.run.report.Machine;

/** Tests that the page has the numbers of the file of results next to it. */
class ClientPageTest {
  private static final Path RESULTS = Path.of("../docs/benchmarks/clients.json");
  private static final Path PAGE = Path.of("../docs/benchmarks/clients.md");

  @TempDir Path folder;

  @Test
  void thePageFollowsFromTheResults() throws Exception {
    String text = Files.readString(PAGE);
    assertTrue(text.contains("<!-- clients phases -->"), text);
    assertEquals(new ClientPage(new ClientFile(RESULTS).read()).fill(text), text, "Run ./bench pages");
  }

  @Test
  void theLargestLossIsFirstAndTheSumLast() {
    List<ClientPhase> phases = List.of(phase("even", 100, 100), phase("loss", 100, 200), phase("gain", 200, 100));
    assertEquals(
        """
        | phase | CPU | before | wall | CPU ms | JIT ms | inlined bytes |
        |:--|--:|--:|--:|--:|--:|--:|
        | loss | 0.50x | 0.80x | 1.00x | 100, 200 | 1, 1 | 7, 7 |
        | even | 1.00x |  | 1.00x | 100, 100 | 1, 1 | 7, 7 |
        | gain | 2.00x |  | 1.00x | 200, 100 | 1, 1 | 7, 7 |
        | sum | 1.00x | 0.80x | 1.00x | 400, 400 | 3, 3 | 21, 21 |
        """,
        ClientPhase.table(phases, List.of(phase("loss", 80, 100))));
  }

  @Test
  void aFileIsReadAsItWasWritten() throws Exception {
    ClientFile file = new ClientFile(folder.resolve("clients.json"));
    ClientFile.Content content =
        new ClientFile.Content(Machine.ofThis("./bench clients", 1), List.of(phase("a phase", 3, 4)));
    file.write(content);
    assertEquals(content, file.read());
    assertThrows(IllegalArgumentException.class, () ->
        new ClientPage(content).fill("<!-- clients x -->\n<!-- end -->"));
  }

  @Test
  void phasesAreReadFromTheOutput() {
    assertEquals(
        Map.of("append of 32", new PhaseCost(1, 2, 3, 4)),
        PhaseCost.in(List.of("the client says this", "phase: append of 32|1|2|3|4")));
    assertEquals(
        new PhaseCost(2, 4, 6, 9),
        PhaseCost.median(List.of(new PhaseCost(1, 2, 3, 0), new PhaseCost(3, 6, 9, 0)), 9));
  }

  private static ClientPhase phase(String name, long rocksdbjni, long dropIn) {
    return new ClientPhase(name, new PhaseCost(5, rocksdbjni, 1, 7), new PhaseCost(5, dropIn, 1, 7));
  }
}
