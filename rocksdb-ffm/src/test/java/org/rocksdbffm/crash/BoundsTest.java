/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that no byte before or after the user's memory is read or written, for buffers of any size and kind. */
final class BoundsTest {
  @ParameterizedTest
  @ValueSource(strings = {"sizes", "bytes"})
  void nothingBeyondIsTouched(String what) {
    survives(ChildJvm.of(BoundsCases.class), what);
  }

  private static void survives(ChildJvm child, String what) {
    ChildJvm.Finished finished = child.run(what).assertExit(0);
    assertTrue(finished.output().contains(what + " done"), finished.output());
  }

  @Test
  void theGuardHolds() {
    ChildJvm.Finished child = ChildJvm.of(BoundsCases.class).run("beyond");
    assertTrue(child.exitCode() != 0 && !child.crashReport().isEmpty(), child.output());
  }

  /** Needs 16 GiB of memory: {@code -Drocksdbffm.huge=true}. */
  @Test
  @EnabledIfSystemProperty(named = "rocksdbffm.huge", matches = "true")
  void valuesAroundTwoGibibytes() {
    survives(ChildJvm.of(BoundsCases.class).with("-Xmx1g", "-XX:MaxDirectMemorySize=4g"), "huge");
  }
}
