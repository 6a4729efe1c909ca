/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the list of metrics follows the conventions of Prometheus and OpenTelemetry. */
class MetricListTest {
  private static final Pattern NAME = Pattern.compile("[a-z]+(_[a-z]+)*(\\.[a-z]+(_[a-z]+)*)+");
  private static final Pattern UNIT = Pattern.compile("By|s|By/s|\\{[a-z]+}");

  /**
   * Suffixes that Prometheus reserves for kinds of metrics, some of which its client removes, and units other than base
   * units.
   */
  private static final Pattern RESERVED =
      Pattern.compile("_(total|count|sum|bucket|info|created|micros|millis|nanos|kb|mb)$");

  @Test
  void namesAndUnitsFollowTheConventions() {
    for (Metric metric : Metric.ALL) {
      assertTrue(NAME.matcher(metric.name()).matches(), metric.name());
      assertTrue(UNIT.matcher(metric.unit()).matches(), metric.unit());
      assertTrue(metric.description().matches("[A-Z].*[^.]"), metric.description());
      String prometheus = metric.prometheusName();
      assertEquals(metric.kind() == Metric.Kind.COUNTER, prometheus.endsWith("_total"), prometheus);
      assertTrue(!RESERVED.matcher(prometheus.replaceFirst("(_sum)?(_bytes|_seconds)?_total$", "")).find(), prometheus);
    }
  }

  @Test
  void metricsOfOneNameDifferInTheValuesOfTheirTagsAlone() {
    Map<String, List<Object>> ofName = new HashMap<>();
    Set<Object> all = new HashSet<>();
    for (Metric metric : Metric.ALL) {
      List<Object> rest =
          List.of(metric.tags().keySet(), metric.unit(), metric.kind(), metric.source(), metric.description());
      assertEquals(rest, ofName.computeIfAbsent(metric.name(), each -> rest), metric.name());
      assertTrue(all.add(List.of(metric.name(), metric.tags())), metric.name());
    }
  }

  @Test
  void noNameInPrometheusOrOfAnAttributeIsThatOfAnother() {
    Map<String, String> names = new HashMap<>();
    Set<String> attributes = new HashSet<>();
    for (Metric metric : Metric.ALL) {
      assertEquals(metric.name(), names.computeIfAbsent(metric.prometheusName(), each -> metric.name()));
      assertTrue(attributes.add(metric.attributeName()), metric.attributeName());
      assertTrue(metric.attributeName().matches("[A-Z][A-Za-z0-9]+"), metric.attributeName());
    }
  }
}
