/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrintedTest {
  private record Some(int count, long nanos, double rate) {}

  private record Other(int count) {}

  @Test
  void theLastFiguresOfATypeAreFoundAmongTheLinesOfAProcess() {
    Some some = new Some(3, -7, 1.5);
    List<String> lines = List.of("Warning: of the JVM", Printed.line(new Some(1, 1, 1)), Printed.line(some));
    assertEquals(some, Printed.in(Some.class, lines));
  }

  @Test
  void theMessageHasAllLinesOfAProcessThatPrintedNoFigures() {
    List<String> lines = List.of("Exception in thread \"main\"", Printed.line(new Some(1, 1, 1)));
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> Printed.in(Other.class, lines));
    assertEquals("no line of Other in:\n" + String.join("\n", lines), thrown.getMessage());
  }
}
