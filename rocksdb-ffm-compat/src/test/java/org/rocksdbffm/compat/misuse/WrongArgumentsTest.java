/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Values that the engine does not check are rejected; most of these calls end the process with rocksdbjni. */
class WrongArgumentsTest {
  private static final String STRICT = "-Dorg.rocksdbffm.compat.options=strict";

  @Test
  void noValueCrashesTheJvm(@TempDir Path folder) throws Exception {
    assertEquals(names(WrongArguments.fatal()), rejected(folder, List.of()));
  }

  @Test
  void strictModeRejectsWhatTheCoreDoesNotSupport(@TempDir Path folder) throws Exception {
    List<String> all = names(WrongArguments.fatal());
    all.addAll(names(WrongArguments.unsupported()));
    assertEquals(all, rejected(folder, List.of(STRICT)));
  }

  @Test
  void anUnsupportedValueIsPassedOnWithOneWarning(@TempDir Path folder) throws Exception {
    String output =
        ChildJvm.run(folder, WrongArguments.class, List.of(), "unordered_write", "unordered_write of another");
    assertEquals(1, output.split("WARNING: option unordered_write: true is not supported", -1).length - 1, output);
    assertTrue(output.contains("unordered_write: returned")
        && output.contains("unordered_write of another: returned"), output);
  }

  @Test
  void quietModeLogsNothing(@TempDir Path folder) throws Exception {
    List<String> flags = List.of("-Dorg.rocksdbffm.compat.options=quiet");
    assertEquals("unordered_write: returned\n", ChildJvm.run(folder, WrongArguments.class, flags, "unordered_write"));
  }

  @Test
  void thePropertyLetsAnOptionThroughByItsName(@TempDir Path folder) throws Exception {
    List<String> flags = List.of(STRICT, "-Dorg.rocksdbffm.compat.unchecked=table_factory");
    assertEquals("table_factory: returned\n", ChildJvm.run(folder, WrongArguments.class, flags, "table_factory"));
  }

  @Test
  void thePropertyAddsToWhatStrictModeTakes(@TempDir Path folder) throws Exception {
    List<String> flags = List.of(STRICT, "-Dorg.rocksdbffm.compat.unchecked=wal_recovery_mode");
    assertEquals(
        "inplace_update_support: returned\n",
        ChildJvm.run(folder, WrongArguments.class, flags, "inplace_update_support"));
  }

  private static List<String> names(Map<String, WrongArguments.Case> cases) {
    return new ArrayList<>(cases.keySet());
  }

  private static List<String> rejected(Path folder, List<String> flags) throws Exception {
    List<String> outcomes = ChildJvm.run(folder, WrongArguments.class, flags).lines().toList();
    return outcomes.stream()
        .filter(its -> its.contains(": refused, "))
        .map(its -> its.substring(0, its.indexOf(": refused, ")))
        .toList();
  }
}
