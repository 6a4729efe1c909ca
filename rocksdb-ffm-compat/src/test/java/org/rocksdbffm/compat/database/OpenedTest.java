/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

class OpenedTest {
  @Test
  void aStackThatEndsInAnOpenLeavesNoLock(@TempDir Path folder) throws Exception {
    assertEquals(
        """
        alone is opened again, as 3 times where there was room
        with families is opened again, as 3 times where there was room
        transactions is opened again, as 3 times where there was room
        """,
        ChildJvm.run(folder, FullStackProgram.class, List.of()));
  }
}
