/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Things that are closed in wrong orders work or are refused, and never crash the JVM, in which most of it ends upstream. */
class WrongOrderTest {
  @Test
  void noWrongOrderCrashesTheJvm(@TempDir Path folder) throws Exception {
    List<String> outcomes = ChildJvm.run(folder, WrongOrders.class, List.of()).lines().toList();
    assertEquals(
        WrongOrders.cases().keySet().stream().toList(),
        outcomes.stream()
            .filter(its -> its.endsWith(": works") || its.contains(": refused, "))
            .map(its -> its.substring(0, its.indexOf(": ")))
            .toList(),
        () -> String.join("\n", outcomes));
  }
}
