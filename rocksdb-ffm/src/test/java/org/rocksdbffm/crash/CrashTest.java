/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests that programs which once crashed or hung end normally and leave no native object, each in a separate JVM. */
final class CrashTest {
  static Set<String> cases() {
    return CrashCases.CASES.keySet();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void jvmSurvives(String name) {
    ChildJvm.Finished child = ChildJvm.of(CrashCases.class).run(name).assertExit(0);
    assertTrue(child.output().contains(name + " done"), child.output());
  }
}
