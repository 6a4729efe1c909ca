/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.run.plan.Engine;

class ServiceBenchTest {
  private static final int MUCH_MIB = 2048;

  @Test
  void aServiceReadsScansWritesAndTellsItsMemory() throws Exception {
    ServiceProcess.Outcome its = ServiceBench.run(Engine.FFM, 1, MUCH_MIB);
    assertTrue(its.readsPerSecond() > 0 && its.rowsPerSecond() > 0 && its.writesPerSecond() > 0, its::toString);
    assertTrue(its.mostResidentMib() > 0 && its.mostResidentMib() < MUCH_MIB, its::toString);
  }
}
