/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuickstartTest {
  private static final Spread SLOW = Spread.of("slow", new double[] {900, 3000, 3100, 2900, 9000});

  @Test
  void aVerdictIsGivenWhereRoundsAreApart() {
    Spread fast = Spread.of("fast", new double[] {1500, 1400, 3000, 1, 1600});
    assertEquals("2.0x", fast.against(SLOW));
    assertEquals("0.5x", SLOW.against(fast));
  }

  @Test
  void noVerdictIsGivenWhereRoundsOverlap() {
    Spread noisy = Spread.of("noisy", new double[] {1500, 1400, 2950, 1, 9000});
    assertEquals("no difference that shows", noisy.against(SLOW));
    assertEquals("no difference that shows", SLOW.against(noisy));
  }

  @Test
  void theEndOfAProgramIsItsSignalItsExceptionOrWhatItPrinted() {
    assertEquals(
        "the JVM died, SIGSEGV (0xb) at pc=0x1",
            Quickstart.end(List.of("#", "# A fatal error", "#  SIGSEGV (0xb) at pc=0x1")));
    assertEquals(
        "IllegalStateException: closed",
        Quickstart.end(List.of("Exception in thread \"main\" java.lang.IllegalStateException: closed", "\tat Main")));
    assertEquals("a\nb", Quickstart.end(List.of("a", "b")));
  }
}
