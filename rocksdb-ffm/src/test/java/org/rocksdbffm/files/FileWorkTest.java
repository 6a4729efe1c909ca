/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.FamilyFiles;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Tests operations on table files: they are listed, measured, verified, suggested for compaction, and deleted. */
@ExtendWith(LiveObjectsCheck.class)
final class FileWorkTest {
  private static final FamilyOptions OPTIONS =
      FamilyOptions.defaults().option("disable_auto_compactions", true);

  @TempDir Path folder;

  private static byte[] key(int number) {
    return String.format("%06d", number).getBytes();
  }

  /** Creates files on level 1, each with ten rows of 100 bytes. */
  private static void fill(KeySpace space, int files) {
    for (int i = 0; i < files; i++) {
      for (int row = 0; row < 10; row++) {
        space.put(key(10 * i + row), new byte[100]);
      }
      space.flush();
      space.compact(KeyRange.between(key(10 * i), key(10 * i + 9)), CompactOptions.defaults().targetLevel(1));
    }
  }

  @Test
  void theFilesAreTold() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      assertEquals(List.of(), db.files().live());
      ColumnFamily family = db.createFamily("family", OPTIONS);
      fill(db, 3);
      family.put(key(7), key(7));
      family.delete(key(8));
      family.flush();
      List<FamilyFiles.LiveFile> files = db.files().live();
      assertEquals(4, files.size());
      for (FamilyFiles.LiveFile file : files) {
        assertTrue(Files.exists(file.path()), file.toString());
        assertEquals(folder.resolve("db"), file.path().getParent());
        assertEquals(file.path().toFile().length(), file.size().bytes());
      }
      FamilyFiles.LiveFile live =
          files.stream().filter(file -> file.columnFamily().equals("family")).findAny().orElseThrow();
      assertArrayEquals(key(7), live.smallestKey());
      assertArrayEquals(key(8), live.largestKey());
      assertEquals(List.of(0L, 2L, 1L), List.of((long) live.level(), live.entries(), live.deletions()));
      long last = db.files().latestSequenceNumber();
      assertEquals(List.of(last - 1, last), List.of(live.firstSequenceNumber(), live.lastSequenceNumber()));
      live.smallestKey()[0] = 0;
      assertArrayEquals(key(7), live.smallestKey());
    }
  }

  @Test
  void filesWithinARangeGoAndTheLastKeyIsIncluded() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db, 4);
      db.files().deleteWithin(key(10), key(28));
      assertNull(db.get(key(15)));
      assertArrayEquals(new byte[100], db.get(key(25))); // the row's file extends beyond the range
      db.files().deleteWithin(key(20), key(29));
      assertNull(db.get(key(25)));
      assertArrayEquals(new byte[100], db.get(key(9)));
      assertArrayEquals(new byte[100], db.get(key(30)));
      db.files().deleteWithin(key(99), key(0));
      assertEquals(2, db.files().live().size());
    }
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      assertEquals(2, db.files().live().size());
    }
  }

  @Test
  void theSizeOfARangeGrowsWithIt() {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db, 8);
      long half = db.files().approximateSize(KeyRange.between(key(0), key(40))).bytes();
      long all = db.files().approximateSize(KeyRange.between(key(0), key(80))).bytes();
      assertTrue(0 < half && half < all, half + " and " + all);
      assertEquals(0, db.files().approximateSize(KeyRange.between(key(100), key(200))).bytes());
      assertTrue(db.files().approximateSize(KeyRange.between(key(80), key(0))).bytes() >= 0);
    }
  }

  @Test
  void damageIsFoundByItsChecksum() throws IOException {
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS).open()) {
      fill(db, 2);
      db.files().verifyChecksums();
      Path table = db.files().live().getFirst().path();
      byte[] bytes = Files.readAllBytes(table);
      bytes[20] ^= 1;
      Files.write(table, bytes);
      RocksDbException thrown = assertThrowsExactly(RocksDbException.class, () -> db.files().verifyChecksums());
      assertEquals(Code.CORRUPTION, thrown.code());
    }
  }

  @Test
  void compactionsAreSuggestedAndWaitedFor() {
    FamilyOptions options = FamilyOptions.defaults();
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(options).open()) {
      for (int i = 0; i < 3; i++) {
        db.put(key(1), key(i));
        db.flush();
      }
      db.compact(KeyRange.all(), CompactOptions.defaults().targetLevel(2));
      db.put(key(1), key(9));
      db.files().suggestCompact(KeyRange.all());
      db.files().suggestCompact(KeyRange.between(key(5), key(2)));
      db.flushAll();
      db.files().waitForCompact(Duration.ofSeconds(60));
      db.files().waitForCompact(Duration.ofSeconds(Long.MAX_VALUE));
      assertEquals("0", db.metrics().property("rocksdb.num-running-compactions"));
      assertEquals("0", db.metrics().property("rocksdb.mem-table-flush-pending"));
      assertArrayEquals(key(9), db.get(key(1)));
      assertThrowsExactly(IllegalArgumentException.class, () -> db.files().waitForCompact(Duration.ZERO));
    }
  }

  @Test
  void aCompactionSucceedsThoughTheDatabaseIsClosedMeanwhile() {
    CompletableFuture<RocksDb> opened = new CompletableFuture<>();
    CompactionFilter.Factory closing =
        compaction -> {
          Thread.startVirtualThread(opened.join()::close);
          CompletableFuture.runAsync(() -> readUntilClosed(opened.join())).orTimeout(60, TimeUnit.SECONDS).join();
          return null;
        };
    try (RocksDb db = RocksDb.at(folder.resolve("db")).defaults(OPTIONS.compactionFilter("closing", closing)).open()) {
      opened.complete(db);
      db.put(key(1), key(1));
      db.flush();
      db.compact(KeyRange.all());
      assertThrowsExactly(IllegalStateException.class, () -> db.get(key(1)));
    }
  }

  private static void readUntilClosed(RocksDb db) {
    try {
      while (true) {
        db.get(key(1));
      }
    } catch (IllegalStateException closed) {
      assertTrue(closed.getMessage().endsWith("is closed"), closed::toString);
    }
  }

  @Test
  void aCopyHasTheIdentityOfItsDatabase() throws IOException {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      assertEquals(Files.readString(folder.resolve("db/IDENTITY")), db.files().identity());
      db.files().checkpoint(folder.resolve("copy"));
      try (RocksDb copy = RocksDb.open(folder.resolve("copy"))) {
        assertEquals(db.files().identity(), copy.files().identity());
      }
      try (RocksDb other = RocksDb.open(folder.resolve("other"))) {
        assertTrue(!db.files().identity().equals(other.files().identity()), other.files().identity());
      }
    }
  }

  @Test
  void aDatabaseForReadingAloneChangesNoFiles() {
    RocksDb.open(folder.resolve("db")).close();
    try (RocksDb db = RocksDb.at(folder.resolve("db")).openReadOnly()) {
      for (org.junit.jupiter.api.function.Executable change :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> db.files().deleteWithin(key(0), key(1)),
              () -> db.files().suggestCompact(KeyRange.all()),
              () -> db.files().waitForCompact(Duration.ofSeconds(1)))) {
        RocksDbException thrown = assertThrowsExactly(RocksDbException.class, change);
        assertEquals(Code.NOT_SUPPORTED, thrown.code());
      }
      db.files().verifyChecksums();
      assertEquals(List.of(), db.files().live());
    }
  }
}
