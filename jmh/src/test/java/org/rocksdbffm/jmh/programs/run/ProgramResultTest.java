/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;

class ProgramResultTest {
  @Test
  void aLineHasTheFiguresOfAProgram() {
    ProgramRun run = new ProgramRun(new ProcessFigures(1000, 0, 0, 2_000, 5_000, 64_000, 1500, 2048, 7), 2, 3);
    String text =
        ProgramResult.table(List.of(ProgramResult.of("ledger", RunMode.STEADY, "ffm", List.of(run), List.of(run))));
    String line = text.lines().skip(1).findFirst().orElseThrow();
    assertTrue(
        line.replaceAll(" +", " ")
            .startsWith("ledger steady ffm 500 1.00x (1.00 to 1.00) 3.00 1.00x (1.00 to 1.00) 2.0 5.0 64 1.50 2"),
        line);
  }
}
