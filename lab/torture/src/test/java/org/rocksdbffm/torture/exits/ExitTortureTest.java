/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.exits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs {@link ExitTorture} once for each way, with the drop-in. {@code ExitTest} covers the core. */
@EnabledOnOs(OS.LINUX)
final class ExitTortureTest {
  @ParameterizedTest
  @EnumSource(Way.class)
  void aProcessOfTheDropInEndsAsItIsToldTo(Way way) throws Exception {
    assumeTrue(ExitTorture.isHeard(way), "whoever started the tests has the signal ignored");
    ExitTorture torture = new ExitTorture();
    torture.run(1, new Random(1), 1, "dropin", way);
    assertEquals(List.of(), torture.findings());
  }
}
