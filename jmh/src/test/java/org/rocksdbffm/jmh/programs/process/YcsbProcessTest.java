/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.run.plan.Engine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/**
 * Tests that the YCSB client runs on the stores. The client itself verifies the records, because it can compute each
 * record from its key.
 */
class YcsbProcessTest {
  private static final int RECORDS = 500;
  private static final int OPERATIONS = 400;

  private static List<String> run(String engine, String workload, Path folder, int warmUp, int operations)
      throws IOException, InterruptedException {
    return EngineProcess.of(Engine.JNI)
        .run(
            line -> { }, YcsbProcess.class.getName(), engine, workload, folder, warmUp, operations, 2, RECORDS,
            "dataintegrity=true")
        .lines();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jni", "ffm"})
  void theClientFindsWhatItWrote(String engine) throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create()) {
      ProcessFigures load = Printed.in(ProcessFigures.class, run(engine, YcsbProcess.LOAD, folder.path(), 0, 0));
      assertEquals(RECORDS, load.steps());
      assertEquals(0, load.checksum(), "failed");
      for (String workload : List.of("a", "b", "c", "d", "e", "f")) {
        List<String> lines = run(engine, workload, folder.path(), OPERATIONS / 2, OPERATIONS);
        ProcessFigures figures = Printed.in(ProcessFigures.class, lines);
        assertEquals(0, figures.checksum(), "failed");
        assertTrue(figures.steps() > 0 && figures.nanos() > 0 && figures.cpuNanos() > 0, figures::toString);
        if (!workload.equals("e")) { // the client verifies only reads by key, not scans
          assertTrue(
              lines.stream().anyMatch(line -> line.startsWith("[VERIFY], Return=OK")),
              () -> workload + String.join("\n", lines));
        }
        assertTrue(
            lines.stream().noneMatch(line -> line.contains("UNEXPECTED_STATE") || line.contains("=ERROR")),
            () -> String.join("\n", lines));
      }
    }
  }
}
