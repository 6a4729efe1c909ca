/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the page docs/archive.md runs, and prints what the page says. */
class PageTest {
  @TempDir Path folder;

  @Test
  void theProgramPrintsTheTextOfThePage() throws Exception {
    String page = Files.readString(Path.of("../docs/archive.md"));
    assertTrue(page.split("\\s+").length < 600, "the page is longer than a screen");
    Path program = Files.writeString(folder.resolve("Orders.java"), block(page, "java"));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(2, TimeUnit.MINUTES), () -> "it still runs");
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertEquals(block(page, "text"), Files.readString(output));
  }

  private static String block(String page, String language) {
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertTrue(block.find(), language);
    return block.group(1);
  }
}
