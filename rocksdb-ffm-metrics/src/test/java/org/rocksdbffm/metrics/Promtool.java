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

/** Prometheus' tool promtool. Tests that need it are skipped where it is not installed. */
final class Promtool {
  private Promtool() {}

  static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, tool)));
  }

  /** Asserts that promtool finds no fault in its input, or in the files among the arguments. */
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
