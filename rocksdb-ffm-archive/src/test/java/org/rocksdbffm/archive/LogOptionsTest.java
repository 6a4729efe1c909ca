/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.RocksDb;

/** Databases whose WAL is buffered, compressed, recycled, in another folder or verified are archived, too. */
class LogOptionsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "manual_wal_flush, true",
    "wal_compression, kZSTD",
    "recycle_log_file_num, 2",
    "wal_dir, wal",
    "track_and_verify_wals_in_manifest, true",
    "WAL_ttl_seconds, 1000"
  })
  void eachStateIsRestored(String name, String value) throws Exception {
    Archive archive = Archive.in(FolderStore.open(folder.resolve("store")));
    Object set = name.equals("wal_dir") ? folder.resolve(value).toString() : value;
    DatabaseOptions options = DatabaseOptions.defaults().option(name, set);
    long[] sequences = new long[4];
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(options).open();
        Archiver archiver = archive.start(db, Await.FAST)) {
      for (int i = 0; i < sequences.length; i++) {
        for (int row = 0; row < 50; row++) {
          db.put(("key" + row).getBytes(UTF_8), ("value" + i + "x".repeat(300)).getBytes(UTF_8));
        }
        sequences[i] = Await.archived(db, archiver);
        db.flush();
      }
      long bases = archiver.status().bases();
      assertTrue(bases <= 2, () -> bases + " bases, though the WAL has all writes");
    }
    for (int i = 1; i < sequences.length; i++) { // the base may contain all writes of the first round
      Path restored = folder.resolve("restored" + i);
      archive.restore(restored, Target.sequence(sequences[i] - 10));
      DatabaseOptions own = name.equals("wal_dir") ? DatabaseOptions.defaults().replaceWalDir() : options;
      try (RocksDb db = RocksDb.at(restored).options(own).open()) {
        assertEquals(sequences[i] - 10, db.files().latestSequenceNumber());
        assertEquals("value" + i, new String(db.get("key39".getBytes(UTF_8)), UTF_8).replace("x", ""));
      }
    }
  }
}
