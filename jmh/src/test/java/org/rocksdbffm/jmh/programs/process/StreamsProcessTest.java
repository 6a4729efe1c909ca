/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

class StreamsProcessTest {
  private static final int STEPS = 2000;

  private static ProcessFigures run() throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      return Printed.in(
          ProcessFigures.class,
          EngineProcess.of(Engine.JNI)
              .run(line -> { }, StreamsProcess.class.getName(), "jni", "kafka-streams", folder.path(), 0, STEPS)
              .lines());
    }
  }

  @Test
  void theApplicationCountsAndJoinsTheSameEachTime() throws Exception {
    ProcessFigures figures = run();
    assertEquals(STEPS, figures.steps());
    assertTrue(figures.checksum() > STEPS / 2, "each order has a count, and some a payment");
    assertEquals(figures.checksum(), run().checksum());
  }
}
