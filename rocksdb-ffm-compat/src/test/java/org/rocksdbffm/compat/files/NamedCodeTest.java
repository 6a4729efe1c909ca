/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** Tests that nothing fails where the engine knows only the name of a Java comparator, as in rocksdbjni. */
final class NamedCodeTest {
  @TempDir Path folder;

  @Test
  void aComparatorThatTheEngineHasByItsNameAloneEndsNoProcess() throws Exception {
    assertEquals("done\n", ChildJvm.run(folder, NamedCode.class, List.of()));
  }
}
