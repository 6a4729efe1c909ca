/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** An object of one database is rejected by methods of another, and the entries of both stay unchanged. */
class ForeignObjectsTest {
  private static final int METHODS = 200;

  @Test
  void noMethodTakesWhatBelongsToAnotherDatabase(@TempDir Path folder) throws Exception {
    List<String> lines = ChildJvm.run(folder, ForeignObjects.class, List.of()).lines().toList();
    List<String> refused = lines.stream().filter(its -> its.endsWith(": refused")).toList();
    assertTrue(refused.size() >= METHODS, () -> String.join("\n", lines));
    assertEquals(
        List.of(
            "RocksDB.destroyColumnFamilyHandle[ColumnFamilyHandle] 0: returned", // closes the handle, which is allowed
            "WriteBatchWithIndex.newIteratorWithBase[RocksIterator] 0: returned", // every database has the family ID 0
            "one has {first one 1=100, second one 2=100}",
            "other has {first other 2=100, second other 1=100}"),
        lines.stream().filter(its -> !its.endsWith(": refused")).toList());
  }
}
