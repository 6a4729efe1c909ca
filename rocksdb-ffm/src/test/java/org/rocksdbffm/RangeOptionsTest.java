/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.internal.read.RangeOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests which iterators need separate read options, which cost at least three native calls. */
@ExtendWith(LiveObjectsCheck.class)
class RangeOptionsTest {
  private static final byte[] KEY = {1};

  @TempDir Path folder;

  @Test
  void aRangeWithoutBoundsHasTheOptionsOfItsReader() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"));
        Snapshot snapshot = db.snapshot()) {
      assertShared(true, db, null, false);
      assertShared(true, db.with(ReadOptions.defaults().fillCache(false)), null, false);
      assertShared(true, snapshot, null, false);
      assertShared(false, db, KEY, false);
      assertShared(false, db, null, true);
      assertShared(false, db.with(ReadOptions.defaults().deadline(Duration.ofSeconds(9))), null, false);
    }
  }

  private static void assertShared(boolean shared, KeyReader reader, byte[] upper, boolean byPrefix) {
    RangeOptions options =
        RangeOptions.of(reader.source, reader.readOptions.settings, reader.point(), null, upper, byPrefix);
    assertEquals(shared, options.pointer().equals(reader.source.options().pointer()));
    options.free();
  }
}
