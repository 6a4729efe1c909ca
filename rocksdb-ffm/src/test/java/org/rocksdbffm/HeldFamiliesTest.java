/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.internal.files.StorageInfo;

/** Files of a database of the drop-in are held while its writes without WAL continue: no write waits for the list. */
class HeldFamiliesTest {
  private static final byte[] KEY = "key".getBytes();
  private static final byte[] LARGE = new byte[1 << 20];
  private static final int COPIES = 10;

  @TempDir Path folder;

  private static void write(RocksDb db, long number) {
    WriteBatch batch = new WriteBatch();
    for (String family : List.of("default", "second", "third")) {
      batch.in(db.family(family)).put(KEY, Long.toString(number).getBytes());
    }
    db.with(WriteOptions.defaults().disableWal(true)).write(batch);
  }

  /** Copies the files as an archive of the drop-in does. */
  private static void copy(RocksDb db, Path target) throws IOException {
    Files.createDirectory(target);
    try (DatabaseFiles.Pause _ = db.files().pauseDeletions()) {
      List<StorageInfo.Entry> files =
          db.database().within((pointer, arena, error) -> StorageInfo.of(pointer, true, null, arena, error));
      for (StorageInfo.Entry file : files) {
        try (InputStream in = file.open()) {
          Files.copy(in, target.resolve(file.name()));
        }
      }
    }
  }

  @Test
  void noFamilyIsNewerThanAnother() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.createFamily("second", FamilyOptions.defaults());
      db.createFamily("third", FamilyOptions.defaults());
      write(db, 0);
      Thread writer =
          Thread.ofPlatform().start(() -> {
            for (long number = 1; !isOver.get(); number++) {
              write(db, number);
            }
          });
      try {
        for (int copies = 0; copies < COPIES; copies++) {
          db.put("large".getBytes(), LARGE); // whose flush takes time
          Path target = folder.resolve("copy" + copies);
          copy(db, target);
          try (RocksDb copied = RocksDb.at(target).openReadOnly()) {
            byte[] value = copied.get(KEY);
            assertNotNull(value);
            assertArrayEquals(value, copied.family("second").get(KEY));
            assertArrayEquals(value, copied.family("third").get(KEY));
          }
        }
      } finally {
        isOver.set(true);
        writer.join();
      }
    }
  }
}
