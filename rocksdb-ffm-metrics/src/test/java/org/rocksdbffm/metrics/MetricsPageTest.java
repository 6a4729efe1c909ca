/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in docs/metrics.md runs and prints the output on the page, and the artifact is this module. */
class MetricsPageTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path folder;

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "metrics.md"));
  }

  private static String block(String language) throws IOException {
    Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page());
    assertTrue(block.find(), language);
    return block.group(1);
  }

  @Test
  void theProgramPrintsTheOutputOnThePage() throws Exception {
    Path source = Files.writeString(folder.resolve("Program.java"), block("java"));
    ProcessBuilder program = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED", "-cp", CLASS_PATH, source.toString());
    Process process = program.directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
    assertEquals(block("text"), output);
  }

  @Test
  void theArtifactIsThisModule() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    Matcher version = Pattern.compile("<version>(.*?)</version>").matcher(pom);
    assertTrue(version.find());
    assertTrue(pom.contains("<artifactId>rocksdb-ffm-metrics</artifactId>"));
    String xml = block("xml");
    assertTrue(xml.contains("<artifactId>rocksdb-ffm-metrics</artifactId>"), xml);
    assertTrue(xml.contains("<version>" + version.group(1) + "</version>"), xml);
  }
}
