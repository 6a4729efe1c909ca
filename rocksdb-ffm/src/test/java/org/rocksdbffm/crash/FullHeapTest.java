/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that a temporarily full heap fails only the calls that it interrupts. */
final class FullHeapTest {
  @Test
  void aHeapThatIsFullAgainAndAgainLosesNothing() {
    ChildJvm.Finished child = ChildJvm.of(FullHeapCase.class).with("-Xmx48m").run("1", "8").assertExit(0);
    assertTrue(child.output().contains("done"), child.output());
  }
}
