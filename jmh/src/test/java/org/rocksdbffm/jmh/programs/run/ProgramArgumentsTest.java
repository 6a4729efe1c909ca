/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.jmh.command.CommandLine;

class ProgramArgumentsTest {
  @Test
  void withoutWordsAllProgramsRunInAllModes() throws Exception {
    ProgramArguments arguments = ProgramArguments.parse();
    assertEquals(ProgramRow.all(), arguments.rows());
    assertEquals(List.of(RunMode.values()), arguments.modes());
    assertTrue(arguments.forks() > 1);
    assertFalse(arguments.list());
  }

  @Test
  void theRowsAreOnlyNamedIfTheyAreAskedFor() throws Exception {
    ProgramArguments arguments = ProgramArguments.parse("spark", "--list");
    assertTrue(arguments.list());
    assertEquals(List.of("spark-store"), arguments.rows().stream().map(ProgramRow::name).toList());
  }

  @Test
  void namesAreParts() throws Exception {
    ProgramArguments arguments = ProgramArguments.parse("ycsb-e", "ledger", "--steady", "--forks", "2");
    assertEquals(
        List.of("ycsb-e", "ycsb-e-8-threads", "ledger"), arguments.rows().stream().map(ProgramRow::name).toList());
    assertEquals(List.of(RunMode.STEADY), arguments.modes());
    assertEquals(2, arguments.forks());
  }

  @Test
  void aQuickLookDoesLessWork() throws Exception {
    ProgramRow row = ProgramRow.all().getLast();
    ProgramArguments quick = ProgramArguments.parse("--quick");
    assertTrue(quick.steps(row) < row.steps());
    assertEquals(1, quick.forks());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"solitaire", "--fast", "--forks", "--forks 0", "--forks x", "--compare nowhere.json", "--json"})
  void anythingElseIsAMistake(String words) {
    assertThrows(CommandLine.Mistake.class, () -> ProgramArguments.parse(words.split(" ")));
  }
}
