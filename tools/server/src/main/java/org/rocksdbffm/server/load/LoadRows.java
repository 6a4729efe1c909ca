/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.load;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;

/** The rows for measurements: values of one size, flushed to files, which fit into the block cache. */
public record LoadRows(int size, int keys) {
  private static final int BYTES = 32 << 20;
  private static final int MOST_KEYS = 20_000;

  static LoadRows of(int size) {
    return new LoadRows(size, Math.clamp(BYTES / size, 16, MOST_KEYS));
  }

  static String key(int size, int number) {
    return "%d:%08d".formatted(size, number);
  }

  static void write(Path folder, int... sizes) {
    try (RocksDb db = RocksDb.open(folder)) {
      for (int size : sizes) {
        LoadRows data = of(size);
        byte[] value = new byte[size];
        for (int i = 0; i < data.keys; i++) {
          new Random(i).nextBytes(value);
          db.put(key(size, i).getBytes(StandardCharsets.US_ASCII), value);
        }
      }
      db.flush();
      db.compact(KeyRange.all());
    }
  }
}
