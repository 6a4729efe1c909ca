/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the dashboard and the alerts of this folder are what the list of figures makes, and that Prometheus takes
 * them.
 */
class GeneratedFilesTest {
  @TempDir Path folder;

  @Test
  void theDashboardIsAsPrinted() throws Exception {
    assertEquals(Dashboard.json(), Files.readString(Path.of("dashboard.json")));
  }

  @Test
  void theAlertsAreAsPrinted() throws Exception {
    assertEquals(FigurePrinter.alerts(), Files.readString(Path.of("alerts.yml")));
  }

  @Test
  void prometheusTakesTheAlerts() throws Exception {
    Promtool.check(Path.of("alerts.yml"), "rules", "alerts.yml");
  }

  @Test
  void prometheusTakesTheExpressionsOfTheDashboard() throws Exception {
    StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
    int panel = 0;
    for (Figure figure : FigurePrinter.byName().values()) {
      String expression = Dashboard.expression(figure).replace("$__rate_interval", "1m");
      rules.append("      - record: panel:%d\n        expr: '%s'\n".formatted(panel++, expression));
    }
    Path file = Files.writeString(folder.resolve("dashboard.yml"), rules);
    Promtool.check(file, "rules", file.toString());
  }

  @Test
  void aTableHasEachFigureOnce() {
    assertEquals(FigurePrinter.byName().size() + 2, FigurePrinter.figures().lines().count());
  }
}
