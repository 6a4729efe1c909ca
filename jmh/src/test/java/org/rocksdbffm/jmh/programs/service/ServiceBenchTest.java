/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.run.plan.Engine;

class ServiceBenchTest {
  private static final int MUCH_MIB = 2048;

  @Test
  void aServiceReadsScansWritesAndTellsItsMemory() throws Exception {
    ServiceProcess.Outcome outcome = ServiceBench.run(Engine.FFM, 1, MUCH_MIB);
    assertTrue(
        outcome.readsPerSecond() > 0 && outcome.rowsPerSecond() > 0 && outcome.writesPerSecond() > 0,
        outcome::toString);
    assertTrue(outcome.mostResidentMib() > 0 && outcome.mostResidentMib() < MUCH_MIB, outcome::toString);
  }
}
