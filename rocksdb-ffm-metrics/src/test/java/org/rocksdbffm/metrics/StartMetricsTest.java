/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that a system property exports the metrics of an unchanged program. */
class StartMetricsTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void aProgramOfOrgRocksdbHasBeansByAPropertyAlone() throws Exception {
    String output = run(CLASS_PATH, "-Dorg.rocksdbffm.metrics=jmx,micrometer");
    assertTrue(output.contains("keys: 1.0\nwritten: []\ndatabases: 1.0\n"), output);
    assertTrue(output.contains("the bean has ended"), output);
    assertTrue(!output.contains("WARNING"), output);
  }

  @Test
  void aProgramWithoutStatisticsHasCountsByAProperty() throws Exception {
    String output = run(CLASS_PATH, "-Dorg.rocksdbffm.metrics=jmx", "-Dorg.rocksdbffm.compat.statistics=timers");
    assertTrue(output.contains("written: [KeysWritten = 1.0]\n"), output);
  }

  @Test
  void neitherMicrometerNorOpenTelemetryNeedBeThereForBeans() throws Exception {
    String without =
        Stream.of(CLASS_PATH.split(File.pathSeparator))
            .filter(each -> !each.contains("micrometer") && !each.contains("opentelemetry"))
            .collect(Collectors.joining(File.pathSeparator));
    assertTrue(run(without, "-Dorg.rocksdbffm.metrics=jmx").contains("keys: 1.0"));
  }

  @Test
  void anotherNameIsLogged() throws Exception {
    String output = run(CLASS_PATH, "-Dorg.rocksdbffm.metrics=jmx,jxm");
    String reason = "jxm is none of jmx, micrometer and opentelemetry";
    assertTrue(output.contains("org.rocksdbffm.metrics=jmx,jxm exports no metrics: " + reason), output);
  }

  private static String run(String classPath, String... properties) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(properties));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, PlainProgram.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
    return output;
  }
}
