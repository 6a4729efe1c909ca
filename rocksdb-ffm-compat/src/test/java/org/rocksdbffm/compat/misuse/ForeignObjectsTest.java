/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.compat.tools.ChildJvm;

/** An object of one database is refused wherever it is given to another, and neither loses or gains a row. */
class ForeignObjectsTest {
  private static final int METHODS = 200;

  @Test
  void noMethodTakesWhatBelongsToAnotherDatabase(@TempDir Path folder) throws Exception {
    List<String> lines = ChildJvm.run(folder, ForeignObjects.class, List.of()).lines().toList();
    List<String> refused = lines.stream().filter(its -> its.endsWith(": refused")).toList();
    assertTrue(refused.size() >= METHODS, () -> String.join("\n", lines));
    assertEquals(
        List.of(
            "RocksDB.destroyColumnFamilyHandle[ColumnFamilyHandle] 0: returned", // it closes the handle, as that does itself
            "WriteBatchWithIndex.newIteratorWithBase[RocksIterator] 0: returned", // every database has the family 0
            "one has {first one 1=100, second one 2=100}",
            "other has {first other 2=100, second other 1=100}"),
        lines.stream().filter(its -> !its.endsWith(": refused")).toList());
  }
}
