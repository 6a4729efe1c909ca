/* Licensed under the Apache License, Version 2.0; see LICENSE. */

package org.rocksdbffm.scans;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rocksdbffm.tools.Bytes.bytes;
import static org.rocksdbffm.tools.Bytes.random;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Row;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.SortedMapCheck;

/** Tests scans of many rows against a sorted map. */
class IterationModelTest {
  @TempDir Path folder;

  @Test
  void aHundredThousandRowsScanBothWays() {
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    Random random = new Random(7);
    try (RocksDb db = RocksDb.open(folder)) {
      WriteBatch batch = new WriteBatch(ByteSize.mib(1));
      for (int i = 0; i < 100_000; i++) {
        byte[] key = bytes("key" + random.nextInt(1_000_000));
        byte[] value = random(random.nextInt(60), i);
        batch.put(key, value);
        model.put(key, value);
        if (batch.size().bytes() > 1 << 20) {
          db.write(batch);
          batch.clear();
        }
        if (i == 70_000) {
          db.flush();
        }
      }
      db.write(batch);
      SortedMapCheck all = new SortedMapCheck(KeyRange.all(), model);
      all.assertForward(db.scan(KeyRange.all()));
      all.assertBackward(db.scanBackward(KeyRange.all()));
      assertEquals(model.size(), db.stream(KeyRange.all(), Row::keySize).count());
    }
  }
}
