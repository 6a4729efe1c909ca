/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests callbacks that misbehave, in JVMs of their own: each ends, and with the status that it should. */
final class CallbackCrashTest {
  @ParameterizedTest
  @ValueSource(strings = {"exitWhileTheEngineWaits", "exitWhileTheEngineCompares"})
  @EnabledOnOs(OS.LINUX)
  void aProcessThatExitsEndsWithItsStatus(String name) {
    ChildJvm.of(CallbackCrashCases.class).run(name).assertExit(7);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessWhoseMainEndsEnds() {
    ChildJvm.of(CallbackCrashCases.class).run("endOfMainWhileTheEngineWaits").assertExit(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "disorder", "circles", "changes", "failsWhileFilesAreSorted", "changesWhileFilesAreSorted", "stackOverflows"
      })
  void jvmSurvives(String name) {
    ChildJvm.Finished child = ChildJvm.of(CallbackCrashCases.class).run(name).assertExit(0);
    assertTrue(child.output().contains(name + " done"), child.output());
  }
}
