/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that a heap which is full for a moment costs the calls that it ended, and nothing behind them. */
final class FullHeapTest {
  @Test
  void aHeapThatIsFullAgainAndAgainLosesNothing() {
    ChildJvm.Finished child = ChildJvm.of(FullHeapCase.class).with("-Xmx48m").run("1", "8").assertExit(0);
    assertTrue(child.output().contains("done"), child.output());
  }
}
