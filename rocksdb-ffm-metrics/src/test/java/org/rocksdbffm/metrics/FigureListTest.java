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

/** Tests the list of figures against the conventions of those who take them. */
class FigureListTest {
  private static final Pattern NAME = Pattern.compile("[a-z]+(_[a-z]+)*(\\.[a-z]+(_[a-z]+)*)+");
  private static final Pattern UNIT = Pattern.compile("By|s|By/s|\\{[a-z]+}");

  /**
   * Endings that Prometheus has for kinds of metrics, some of which its client takes off, and units that are not base
   * units.
   */
  private static final Pattern RESERVED =
      Pattern.compile("_(total|count|sum|bucket|info|created|micros|millis|nanos|kb|mb)$");

  @Test
  void namesAndUnitsFollowTheConventions() {
    for (Figure figure : Figure.ALL) {
      assertTrue(NAME.matcher(figure.name()).matches(), figure.name());
      assertTrue(UNIT.matcher(figure.unit()).matches(), figure.unit());
      assertTrue(figure.description().matches("[A-Z].*[^.]"), figure.description());
      String prometheus = figure.prometheusName();
      assertEquals(figure.kind() == Figure.Kind.COUNTER, prometheus.endsWith("_total"), prometheus);
      assertTrue(!RESERVED.matcher(prometheus.replaceFirst("(_sum)?(_bytes|_seconds)?_total$", "")).find(), prometheus);
    }
  }

  @Test
  void figuresOfOneNameDifferInTheValuesOfTheirTagsAlone() {
    Map<String, List<Object>> ofName = new HashMap<>();
    Set<Object> all = new HashSet<>();
    for (Figure figure : Figure.ALL) {
      List<Object> rest =
          List.of(figure.tags().keySet(), figure.unit(), figure.kind(), figure.source(), figure.description());
      assertEquals(rest, ofName.computeIfAbsent(figure.name(), its -> rest), figure.name());
      assertTrue(all.add(List.of(figure.name(), figure.tags())), figure.name());
    }
  }

  @Test
  void noNameInPrometheusOrOfAnAttributeIsThatOfAnother() {
    Map<String, String> names = new HashMap<>();
    Set<String> attributes = new HashSet<>();
    for (Figure figure : Figure.ALL) {
      assertEquals(figure.name(), names.computeIfAbsent(figure.prometheusName(), its -> figure.name()));
      assertTrue(attributes.add(figure.attributeName()), figure.attributeName());
      assertTrue(figure.attributeName().matches("[A-Z][A-Za-z0-9]+"), figure.attributeName());
    }
  }
}
