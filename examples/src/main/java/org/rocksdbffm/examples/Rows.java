/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.examples;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.rocksdbffm.Compression;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;

/**
 * The rows that both bindings read.
 *
 * @param count the number of rows
 * @param valueSize the size of each value
 */
record Rows(int count, int valueSize) {
  private static final int KEY_SIZE = 16;

  byte[][] keys() {
    return IntStream.range(0, count).mapToObj(Rows::key).toArray(byte[][]::new);
  }

  private static byte[] key(int row) {
    return ByteBuffer.allocate(KEY_SIZE).putLong(0, row).putLong(Long.BYTES, ~row).array();
  }

  byte[] value(int row) {
    byte[] value = new byte[valueSize];
    new Random(row).nextBytes(value);
    return value;
  }

  /** Writes all rows to table files, uncompressed. */
  void writeTo(Path folder) {
    FamilyOptions options = FamilyOptions.defaults().compression(Compression.NONE);
    try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
      for (int row = 0; row < count; row++) {
        db.put(key(row), value(row));
      }
      db.flush();
      db.compact(KeyRange.all());
    }
  }

  /** Returns all row numbers in a random order, which is the same in each run. */
  int[] shuffled() {
    int[] order = IntStream.range(0, count).toArray();
    Random random = new Random(count);
    for (int last = count - 1; last > 0; last--) {
      int other = random.nextInt(last + 1);
      int row = order[last];
      order[last] = order[other];
      order[other] = row;
    }
    return order;
  }
}
