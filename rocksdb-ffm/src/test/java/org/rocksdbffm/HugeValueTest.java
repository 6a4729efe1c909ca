/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdbffm.tools.ChildJvm;

/** Tests values of more than two GiB; it needs 16 GiB of memory, and {@code -Drocksdbffm.huge=true}. */
@EnabledIfSystemProperty(named = "rocksdbffm.huge", matches = "true")
final class HugeValueTest {
  @ParameterizedTest
  @ValueSource(strings = {"memory", "table", "blob"})
  void aValueOfMoreThanTwoGibibytesGoesOutFrom(String where) {
    ChildJvm child = ChildJvm.of(HugeValueCases.class).within(Duration.ofMinutes(10));
    ChildJvm.Finished finished = child.run(where).assertExit(0);
    assertTrue(finished.output().contains(where + " done"), finished.output());
  }
}
