/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.faults;

import java.nio.file.Path;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.Options;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.WriteBatch;

/** The program of a primary, which writes the number of a round to all keys at once until it is killed. */
final class SecondaryWriter {
  static final int KEYS = 100;
  static final Options OPTIONS = Options.defaults().createIfMissing(true);

  private SecondaryWriter() {}

  static byte[] key(int number) {
    return "%03d".formatted(number).getBytes();
  }

  public static void main(String[] arguments) throws InterruptedException {
    try (RocksDb db = RocksDb.open(Path.of(arguments[0]), OPTIONS)) {
      for (int round = 1; ; round++) {
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < KEYS; i++) {
          batch.put(key(i), Integer.toString(round).getBytes());
        }
        db.write(batch);
        if (round % 20 == 0) {
          db.flush();
        }
        if (round % 100 == 0) {
          db.compact(KeyRange.all());
        }
        if (round == 10) {
          System.out.println("begun");
        }
        Thread.sleep(1);
      }
    }
  }
}
