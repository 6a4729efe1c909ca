/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.process.EngineProcess;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;
import org.rocksdbffm.jmh.run.plan.Engine;

class StateStoreProcessTest {
  private static final int STEPS = 22_500; // eleven batches, and one that is not committed

  @TempDir Path folder;

  private static ProcessFigures run(Path folder) throws Exception {
    return Printed.in(
        ProcessFigures.class,
        EngineProcess.of(Engine.JNI)
            .run(line -> { }, StateStoreProcess.class.getName(), "jni", "spark-store", folder, 0, STEPS)
            .lines());
  }

  @Test
  void theStoreCountsTheSameEachTimeAndCommitsChangesAndSnapshots() throws Exception {
    ProcessFigures figures = run(folder.resolve("first"));
    assertEquals(STEPS, figures.steps());
    assertTrue(figures.checksum() > STEPS / 2, "each event has a count");
    assertEquals(figures.checksum(), run(folder.resolve("second")).checksum());
    assertEquals(11, count("glob:**/[0-9]*.changelog"));
    assertEquals(1, count("glob:**/[0-9]*.zip"));
  }

  private long count(String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("first"))) {
      return files.filter(folder.getFileSystem().getPathMatcher(pattern)::matches).count();
    }
  }
}
