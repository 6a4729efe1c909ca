/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drop-in avoids or rejects uses in which the engine is wrong without unusual options. */
class FaultsTest {
  private static final long LIMIT_MILLIS = 20_000; // of rocksdbjni, which hangs in some cases
  private static final long PATIENCE_MILLIS = 120_000;
  private static final List<String> STRICT = List.of("-Dorg.rocksdbffm.compat.options=strict");

  @TempDir Path folder;

  @Test
  void rocksdbjniHasEachFault() throws Exception {
    Map<String, String> outcomes = SweepRun.ofRocksdbjni(LIMIT_MILLIS).outcomes(folder, FaultProgram.class);
    outcomes.values().removeIf(its -> !its.equals(FaultProgram.RIGHT));
    assertEquals(Map.of(), outcomes, "faults without evidence");
  }

  @Test
  void theDropInHasNone() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    FaultProgram.faults().keySet().forEach(name -> expected.put(name, FaultProgram.RIGHT));
    Map<String, String> outcomes = SweepRun.ofDropIn(STRICT, PATIENCE_MILLIS).outcomes(folder, FaultProgram.class);
    assertEquals(expected, new TreeMap<>(outcomes));
  }
}
