/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the dashboard and the alerts of this module equal the output of the generator, and that Prometheus accepts
 * them.
 */
class GeneratedFilesTest {
  /** Reads a dashboard with Grafana's library, writes it, and prints the lost or changed parts. */
  private static final String ROUND_TRIP =
      """
      import json, sys
      from grafana_foundation_sdk.cog.encoder import JSONEncoder
      from grafana_foundation_sdk.models.dashboard import Dashboard

      def compare(ours, theirs, where):
          if isinstance(ours, dict):
              for key in ours:
                  compare(ours[key], theirs.get(key), where + "." + key)
          elif isinstance(ours, list):
              for i in range(len(ours)):
                  compare(ours[i], theirs[i], where + "." + str(i))
          elif ours != theirs:
              print(where, ours, theirs)

      ours = json.load(open("dashboard.json"))
      compare(ours, json.loads(JSONEncoder().encode(Dashboard.from_json(ours))), "")
      """;

  @TempDir Path folder;

  @Test
  void theDashboardIsAsPrinted() throws Exception {
    assertEquals(Dashboard.json(), Files.readString(Path.of("dashboard.json")));
  }

  @Test
  void theAlertsAreAsPrinted() throws Exception {
    assertEquals(MetricPrinter.alerts(), Files.readString(Path.of("alerts.yml")));
  }

  @Test
  void prometheusTakesTheAlerts() throws Exception {
    Promtool.check(Path.of("alerts.yml"), "rules", "alerts.yml");
  }

  @Test
  void prometheusTakesTheExpressionsOfTheDashboard() throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
    int panel = 0;
    for (Metric metric : MetricPrinter.byName().values()) {
      String expression = Dashboard.expression(metric).replace("$__rate_interval", "1m");
      rules.append("      - record: panel:%d\n        expr: '%s'\n".formatted(panel++, expression));
    }
    Path file = Files.writeString(folder.resolve("dashboard.yml"), rules);
    Promtool.check(file, "rules", file.toString());
  }

  /** Needs {@code pip install grafana-foundation-sdk}; otherwise skipped. */
  @Test
  void grafanasOwnTypesKeepAllOfTheDashboard() throws Exception {
    assumeTrue(python("import grafana_foundation_sdk").waitFor() == 0, "no grafana-foundation-sdk");
    Process process = python(ROUND_TRIP);
    assertEquals("", new String(process.getInputStream().readAllBytes()));
    assertEquals(0, process.waitFor());
  }

  private static Process python(String program) throws IOException {
    assumeTrue(Promtool.isInstalled("python3"), "no python3");
    return new ProcessBuilder("python3", "-c", program).redirectErrorStream(true).start();
  }

  @Test
  void aTableHasEachMetricOnce() {
    assertEquals(MetricPrinter.byName().size() + 2, MetricPrinter.metrics().lines().count());
  }
}
