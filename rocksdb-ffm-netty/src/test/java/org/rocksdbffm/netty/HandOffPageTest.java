/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the Java code of docs/hand-off.md compiles, runs and prints the output on the page. */
class HandOffPageTest {
  private static final Path PAGE = Path.of("../docs/hand-off.md");

  @TempDir Path folder;

  @Test
  void thePageRunsAsItIsWritten() throws Exception {
    var imports = new StringBuilder();
    var body = new StringBuilder();
    var expected = new StringBuilder();
    String language = null;
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("```")) {
        language = language == null ? line.substring(3) : null;
      } else if ("java".equals(language)) {
        (line.startsWith("import ") ? imports : body).append(line).append('\n');
      } else if ("text".equals(language)) {
        expected.append(line).append('\n');
      }
    }
    assertTrue(!body.isEmpty());
    Files.writeString(folder.resolve("Page.java"), imports + "void main() throws Exception {\n" + body + "}\n");
    assertEquals(expected.toString(), run());
  }

  /** Runs the page's program as a reader would, with the class path of this module. */
  private String run() throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(),
                "Page.java")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(java.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, java.exitValue(), output);
    return output;
  }

  private static String classPath() {
    return String.join(
        File.pathSeparator,
        List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .toList());
  }
}
