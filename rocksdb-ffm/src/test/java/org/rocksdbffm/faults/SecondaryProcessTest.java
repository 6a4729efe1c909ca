/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.tools.ChildJvm;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Follows a primary of another process until that is killed: each moment that is seen is one of the primary's. */
@ExtendWith(LiveObjectsCheck.class)
final class SecondaryProcessTest {
  private static final int LAST = 1500;

  @TempDir Path folder;

  private RocksDb secondary() {
    return RocksDb.openSecondary(folder.resolve("db"), folder.resolve("secondary"), SecondaryWriter.OPTIONS);
  }

  @Test
  void batchesAreSeenWholeAndInOrderUntilThePrimaryIsKilled() throws Exception {
    int round = 0;
    RocksDb secondary = null;
    try (ChildJvm.Running child = ChildJvm.of(SecondaryWriter.class).start(folder.resolve("db").toString())) {
      while (!child.output().contains("begun")) {
        assertTrue(child.process().isAlive(), child::output);
        Thread.sleep(1);
      }
      secondary = secondary();
      int moments = 0;
      while (round < LAST) {
        assertTrue(child.process().isAlive(), child::output);
        secondary = caughtUp(secondary);
        int seen = round(secondary);
        assertTrue(seen >= round, seen + " after " + round);
        moments += seen > round ? 1 : 0;
        round = seen;
      }
      assertTrue(moments > 20, moments + " moments");
      child.process().destroyForcibly().waitFor();
      secondary = caughtUp(secondary);
      round = round(secondary);
    } finally {
      if (secondary != null) {
        secondary.close();
      }
    }
    try (RocksDb db = RocksDb.open(folder.resolve("db"), SecondaryWriter.OPTIONS)) {
      assertEquals(round, round(db));
    }
  }

  /** Catches up, or opens another one where that is told to be the way. */
  private RocksDb caughtUp(RocksDb secondary) {
    try {
      secondary.catchUp();
      return secondary;
    } catch (RocksDbException e) {
      boolean isTold =
          e.code() == RocksDbException.Code.TRY_AGAIN || e.code() == RocksDbException.Code.IO_ERROR;
      assertTrue(isTold, e.toString());
      secondary.close();
      return secondary();
    }
  }

  private static int round(RocksDb db) {
    Set<String> values =
        db.stream(KeyRange.all(), row -> new String(row.valueBytes())).collect(Collectors.toSet());
    assertEquals(1, values.size(), values.toString());
    return Integer.parseInt(values.iterator().next());
  }
}
