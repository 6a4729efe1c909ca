/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.fulldisk;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/**
 * With a system property, writes of the drop-in are accepted again after a full disk, without opening the database
 * again.
 */
@EnabledOnOs(OS.LINUX)
class ResumedWritesTest {
  @TempDir Path folder;

  @Test
  void eightThreadsWriteOnAfterEachFullDisk() throws IOException {
    String output = ChildJvm.run(folder, FullDiskTorture.class, List.of(), "dropin", "3");
    assumeTrue(!output.contains("no disk can be mounted here"), output);
    assertTrue(output.contains("3 rounds, "), output);
    assertTrue(output.contains("the writes of database ") && output.contains(" are resumed"), output);
    assertTrue(output.endsWith("done\n"), output);
  }
}
