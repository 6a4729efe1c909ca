/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Prometheus' own tool, where it is installed; a test that needs it is skipped elsewhere. */
final class Promtool {
  private Promtool() {}

  static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(its -> Files.isExecutable(Path.of(its, tool)));
  }

  /** Asserts that it finds nothing wrong with its input, or with the files that are named. */
  static void check(Path input, String... arguments) throws IOException, InterruptedException {
    assumeTrue(isInstalled("promtool"), "no promtool");
    List<String> command = new ArrayList<>(List.of("promtool", "check"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectInput(input.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
  }
}
