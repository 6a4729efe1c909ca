/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.work.TemporaryFolder;

class StreamsProcessTest {
  private static final int STEPS = 2000;

  private static ProcessFigures run() throws Exception {
    String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp", classPath, StreamsProcess.class.getName(), "jni", "kafka-streams", folder.path().toString(),
                  "0", Integer.toString(STEPS))
              .redirectErrorStream(true)
              .start();
      try (BufferedReader output = process.inputReader()) {
        List<String> lines = output.lines().toList();
        assertEquals(0, process.waitFor(), () -> String.join("\n", lines));
        return Printed.in(ProcessFigures.class, lines);
      }
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
