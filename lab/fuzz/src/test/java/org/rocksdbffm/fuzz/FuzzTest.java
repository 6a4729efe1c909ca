/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.Sweeps;

/** Fuzzes with the duration and the seed of {@link Sweeps}. */
class FuzzTest {
  private static final int SECONDS = Sweeps.of(15, 1200);

  @Test
  void whatIsParsedIsReadAsItIsOrRejectedInTheDocumentedWay() {
    ChildJvm.Finished child =
        ChildJvm.of(Fuzz.class)
            .with("-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading")
            .within(Duration.ofSeconds(SECONDS + 120))
            .run("-seed=" + (Sweeps.seed() & Integer.MAX_VALUE), "-max_total_time=" + SECONDS)
            .assertExit(0);
    String runs = child.output().replaceAll("(?s).*number_of_executed_units: *(\\d+).*", "$1 runs");
    assertTrue(runs.matches("[0-9]{3,} runs"), child.output());
    System.out.println(runs);
  }
}
