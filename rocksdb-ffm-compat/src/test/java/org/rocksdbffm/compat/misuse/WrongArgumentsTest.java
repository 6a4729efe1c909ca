/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Values that the engine does not look at are refused; most of these calls end the process upstream. */
class WrongArgumentsTest {
  @Test
  void noValueCrashesTheJvm(@TempDir Path folder) throws Exception {
    List<String> outcomes = ChildJvm.run(folder, WrongArguments.class, List.of()).lines().toList();
    assertEquals(
        WrongArguments.cases().keySet().stream().toList(),
        outcomes.stream()
            .filter(its -> its.contains(": refused, "))
            .map(its -> its.substring(0, its.indexOf(": refused, ")))
            .toList(),
        () -> String.join("\n", outcomes));
  }

  @Test
  void thePropertyLetsAnOptionThroughByItsName(@TempDir Path folder) throws Exception {
    List<String> flags = List.of("-Dorg.rocksdbffm.compat.unchecked=table_factory");
    assertEquals(
        "table_factory: returned\n", ChildJvm.run(folder, WrongArguments.class, flags, "table_factory"));
  }
}
