/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class PhasesTest {
  @Test
  void eachPhaseRunsItsStepsAndPrintsOneLineWithFourNumbers() throws Exception {
    List<Integer> steps = new ArrayList<>();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true));
    try (Phases phases = new Phases("folder")) {
      phases.run("one two", 3, steps::add);
      phases.run("none", 0, steps::add);
    } finally {
      System.setOut(before);
    }
    assertEquals(List.of(0, 1, 2), steps);
    List<String> lines = printed.toString().lines().toList();
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(0).matches("phase: one two\\|\\d+\\|\\d+\\|\\d+\\|0"), lines::toString);
    assertTrue(lines.get(1).matches("phase: none\\|\\d+\\|\\d+\\|\\d+\\|0"), lines::toString);
  }
}
