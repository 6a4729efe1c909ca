/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** The JVM, which throws, accesses truncated memory-mapped files, and not the engine, which would crash. */
class MappedBufferTest {
  @Test
  void aMappedFileThatShrankEndsNoProcess(@TempDir Path folder) throws Exception {
    assertEquals(
        """
        put into an indexed batch: InternalError
        delete from an indexed batch: InternalError
        seek in an indexed batch: InternalError
        seek backward in an indexed batch: InternalError
        put in a transaction: InternalError
        merge untracked in a transaction: InternalError
        bound of an iterator made later: InternalError
        bound of an iterator made before: 1 rows
        """,
        ChildJvm.run(folder, MappedBufferProgram.class, List.of()));
  }
}
