/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Closing in wrong orders works or throws, and never crashes the JVM; most cases crash rocksdbjni. */
class WrongOrderTest {
  private static final String CRASHED = "crashed";

  /** One test for each case. Many cases run in one JVM; after a crash, the next cases run in another JVM. */
  @TestFactory
  Stream<DynamicTest> noWrongOrderCrashesTheJvm(@TempDir Path folder) throws IOException {
    Map<String, String> outcomes = outcomes(folder, WrongOrders.class, List.copyOf(WrongOrders.cases().keySet()));
    return outcomes.entrySet().stream()
        .map(its -> DynamicTest.dynamicTest(its.getKey(), () -> assertWell(its.getValue())));
  }

  private static void assertWell(String outcome) {
    assertTrue(outcome.equals("works") || outcome.startsWith("refused, "), outcome);
  }

  @Test
  void aCaseThatEndsTheJvmHidesNoOther(@TempDir Path folder) throws IOException {
    Map<String, String> outcomes = outcomes(folder, Crashes.class, List.of("one", "two", "three"));
    assertEquals("works", outcomes.get("one"));
    assertTrue(outcomes.get("two").startsWith(CRASHED), outcomes.toString());
    assertEquals("works", outcomes.get("three"));
  }

  /** Crashes in its second case. */
  static final class Crashes {
    public static void main(String[] cases) {
      for (String name : cases) {
        if (name.equals("two")) {
          Runtime.getRuntime().halt(134);
        }
        System.out.println(name + ": works");
      }
    }
  }

  /** Returns the outcomes by case, from as many JVMs as needed. */
  private static Map<String, String> outcomes(Path folder, Class<?> program, List<String> cases) throws IOException {
    Map<String, String> outcomes = new HashMap<>();
    List<String> left = new ArrayList<>(cases);
    while (!left.isEmpty()) {
      String output = ChildJvm.outputOf(folder, program, left.toArray(String[]::new));
      String first = left.getFirst();
      for (String line : output.lines().toList()) {
        int colon = line.indexOf(": ");
        if (colon > 0 && left.remove(line.substring(0, colon))) {
          outcomes.put(line.substring(0, colon), line.substring(colon + 2));
        }
      }
      if (!left.isEmpty()) {
        String ended = left.removeFirst();
        outcomes.put(ended, CRASHED + ", or ended, in the JVM that began with " + first + ":\n" + output);
      }
    }
    return outcomes;
  }
}
