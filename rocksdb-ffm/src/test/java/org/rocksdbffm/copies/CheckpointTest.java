/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.WriteOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests checkpoints. */
@ExtendWith(LiveObjectsCheck.class)
final class CheckpointTest {
  private static final byte[] KEY = "key".getBytes();

  @TempDir Path folder;

  @Test
  void aCheckpointHasAllOfItsMomentAndNothingLater() {
    Path copy = folder.resolve("cöpy");
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      db.put(KEY, "one".getBytes());
      family.with(WriteOptions.defaults().disableWal(true)).put(KEY, "two".getBytes());
      db.files().checkpoint(copy);
      db.put(KEY, "later".getBytes());
      assertEquals(folder.resolve("db"), db.path());
    }
    RocksDb.destroy(folder.resolve("db"));
    try (RocksDb db = RocksDb.open(copy)) {
      assertArrayEquals("one".getBytes(), db.get(KEY));
      assertArrayEquals("two".getBytes(), db.family("family").get(KEY));
    }
  }

  @Test
  void theLogsOfAnotherFolderAreInTheCopy() throws IOException {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_dir", logs);
    Path copy = folder.resolve("copy");
    try (RocksDb db = RocksDb.at(folder.resolve("db")).options(options).open()) {
      db.put(KEY, KEY);
      db.files().checkpoint(copy);
      db.put(KEY, "later".getBytes());
      try (RocksDb opened = RocksDb.at(copy).options(DatabaseOptions.defaults().replaceWalDir()).open()) {
        assertArrayEquals(KEY, opened.get(KEY));
      }
      assertArrayEquals("later".getBytes(), db.get(KEY));
    }
  }

  @Test
  void anEmptyFolderIsTakenAndAnythingElseIsNot() throws IOException {
    Path there = Files.createDirectory(folder.resolve("there"));
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.files().checkpoint(there);
      RocksDbException again = assertThrowsExactly(RocksDbException.class, () -> db.files().checkpoint(there));
      assertEquals(Code.INVALID_ARGUMENT, again.code());
      assertTrue(again.getMessage().contains("RocksDb.destroy"), again.getMessage());
      RocksDbException nowhere =
          assertThrowsExactly(RocksDbException.class, () -> db.files().checkpoint(folder.resolve("nowhere/copy")));
      assertEquals(Code.IO_ERROR, nowhere.code());
      assertTrue(nowhere.getMessage().contains("Files.createDirectories"), nowhere.getMessage());
    }
    RocksDb.open(there).close();
  }

  @Test
  void whatACutOffCheckpointLeftIsCleared() throws IOException {
    Path left = Files.createDirectory(folder.resolve("copy.tmp"));
    Files.writeString(left.resolve("000009.sst"), "half");
    Files.writeString(left.resolve("CURRENT"), "MANIFEST-000099");
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(KEY, KEY);
      db.files().checkpoint(folder.resolve("copy"));
    }
    assertFalse(Files.exists(left));
    try (RocksDb copy = RocksDb.open(folder.resolve("copy"))) {
      assertArrayEquals(KEY, copy.get(KEY));
    }
  }

  @Test
  void threadsThatWantOneFolderGetOneCompleteCopy() throws Exception {
    try (RocksDb a = RocksDb.open(folder.resolve("a"));
        RocksDb b = RocksDb.open(folder.resolve("b"));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      a.put("a".getBytes(), new byte[100_000]);
      b.put("b".getBytes(), new byte[100_000]);
      for (int round = 0; round < 8; round++) {
        Path copy = folder.resolve("copy" + round);
        List<Future<Boolean>> attempts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          RocksDb db = i % 2 == 0 ? a : b;
          attempts.add(threads.submit(() -> isMade(db, copy)));
        }
        int made = 0;
        for (Future<Boolean> attempt : attempts) {
          made += attempt.get() ? 1 : 0;
        }
        assertEquals(1, made);
        try (RocksDb opened = RocksDb.open(copy)) {
          assertTrue((opened.get("a".getBytes()) == null) != (opened.get("b".getBytes()) == null));
        }
      }
    }
  }

  private static boolean isMade(RocksDb db, Path copy) {
    try {
      db.files().checkpoint(copy);
      return true;
    } catch (RocksDbException e) {
      assertTrue(e.code() == Code.BUSY || e.code() == Code.INVALID_ARGUMENT, e.getMessage());
      return false;
    }
  }

  @Test
  void aCheckpointKeepsNothingOfTheDatabase() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      db.put(KEY, KEY);
      db.files().checkpoint(folder.resolve("copy"));
      try (RocksDb copy = RocksDb.open(folder.resolve("copy"))) {
        copy.delete(KEY);
        copy.compact(KeyRange.all());
        assertNull(copy.get(KEY));
      }
      assertArrayEquals(KEY, db.get(KEY));
      db.compact(KeyRange.all());
      assertArrayEquals(KEY, db.get(KEY));
    }
  }
}
