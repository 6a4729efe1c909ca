/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that a JVM ends with the expected status although a callback does not return. */
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
}
