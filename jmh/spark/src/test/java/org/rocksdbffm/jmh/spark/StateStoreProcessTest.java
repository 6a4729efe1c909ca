/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessFigures;

class StateStoreProcessTest {
  private static final int STEPS = 22_500; // eleven batches, and one that is not committed

  @TempDir Path folder;

  private static ProcessFigures run(Path folder) throws Exception {
    String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", classPath, StateStoreProcess.class.getName(), "jni", "spark-store", folder.toString(), "0",
                Integer.toString(STEPS))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader()) {
      List<String> lines = output.lines().toList();
      assertEquals(0, process.waitFor(), () -> String.join("\n", lines));
      return Printed.in(ProcessFigures.class, lines);
    }
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
