/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.rocksdbffm.RocksDb;

/** Archives a value that is larger than an eighth of the heap, between two small values. */
final class LargeBatchProgram {
  static final int SIZE = 24 << 20;

  private LargeBatchProgram() {}

  static byte[] value() {
    byte[] value = new byte[SIZE];
    new Random(1).nextBytes(value);
    return value;
  }

  public static void main(String[] folders) throws Exception {
    try (RocksDb db = RocksDb.open(Path.of(folders[0]));
        Archiver archiver = Archive.in(FolderStore.open(Path.of(folders[1]))).start(db, Await.FAST)) {
      for (byte[] value : new byte[][] {{1}, value(), {3}}) {
        db.put(new byte[] {value[0]}, value);
        if (!archiver.awaitArchived(Duration.ofMinutes(2))) {
          throw new AssertionError(archiver.status().toString());
        }
      }
      System.out.println("bases: " + archiver.status().bases());
    }
  }
}
