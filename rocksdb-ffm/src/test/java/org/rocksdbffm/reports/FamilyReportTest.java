/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A column family reports its metrics, including its blob files and caches. */
@ExtendWith(LiveObjectsCheck.class)
class FamilyReportTest {
  private static final int ROWS = 20;
  private static final int SIZE = 10_000;
  private static final byte[] VALUE = new byte[SIZE];
  private static final BlobReport NO_BLOBS =
      new BlobReport(0, ByteSize.bytes(0), ByteSize.bytes(0), ByteSize.bytes(0));
  private static final FamilyOptions BLOBS = FamilyOptions.defaults().enableBlobFiles(true);

  @TempDir Path folder;

  private Path path;

  @BeforeEach
  void path() {
    path = folder.resolve("db");
    new Random(1).nextBytes(VALUE);
  }

  private static void fill(KeySpace family) {
    for (int row = 0; row < ROWS; row++) {
      family.put(key(row), VALUE);
    }
    family.flush();
  }

  private static byte[] key(int row) {
    return ("key " + row).getBytes(UTF_8);
  }

  @Test
  void rowsAreInMemtablesAndThenInTables() {
    try (RocksDb db = RocksDb.open(path)) {
      db.put(key(1), VALUE);
      db.delete(key(2));
      FamilyReport written = db.metrics().report();
      assertEquals("default", written.name());
      assertEquals(2, written.memtableEntries());
      assertEquals(1, written.memtableDeletions());
      assertTrue(written.memtables().bytes() > SIZE, written.toString());
      assertEquals(ByteSize.bytes(0), written.tables());
      db.flush();
      FamilyReport flushed = db.metrics().report();
      assertEquals(0, flushed.memtableEntries() + flushed.memtableDeletions());
      assertEquals(db.files().levels().getFirst().size(), flushed.tables());
      assertEquals(flushed.tables(), flushed.tablesOnDisk());
      assertEquals(ByteSize.bytes(0), flushed.compactionDebt());
      assertEquals(NO_BLOBS, flushed.blobs());
      assertEquals(Optional.empty(), flushed.blobCache());
      assertEquals(
          db.metrics().longProperty("rocksdb.block-cache-capacity").orElseThrow(),
          flushed.blockCache().orElseThrow().capacity().bytes());
    }
  }

  @Test
  void keysAndLiveDataAreEstimated() {
    try (RocksDb db = RocksDb.open(path)) {
      fill(db);
      assertEquals(ROWS, db.metrics().report().estimatedKeys());
      assertEquals(db.metrics().report().tables(), db.metrics().report().estimatedLiveData());
    }
  }

  @Test
  void aBlobFileIsToldWithItsGarbage() {
    try (RocksDb db = RocksDb.at(path).defaults(BLOBS).open()) {
      fill(db);
      BlobReport clean = db.metrics().report().blobs();
      assertEquals(1, clean.files());
      assertTrue(clean.size().bytes() > ROWS * SIZE, clean.toString());
      assertEquals(clean.size(), clean.onDisk());
      assertEquals(ByteSize.bytes(0), clean.garbage());
      assertEquals(1, clean.amplification());
      assertTrue(db.metrics().report().tables().bytes() < ROWS * SIZE / 2, db.metrics().report().toString());
      for (int row = 0; row < ROWS / 2; row++) {
        db.delete(key(row));
      }
      db.compact(KeyRange.all());
      BlobReport half = db.metrics().report().blobs();
      assertEquals(clean.size(), half.size());
      assertTrue(half.garbage().bytes() > ROWS / 2 * SIZE, half.toString());
      assertEquals(2, half.amplification(), 0.01);
    }
  }

  @Test
  void aFileThatAnIteratorAloneNeedsIsOnTheDisk() {
    try (RocksDb db = RocksDb.at(path).defaults(BLOBS).open()) {
      fill(db);
      try (Cursor before = db.cursor()) {
        assertTrue(before.first());
        for (int row = 0; row < ROWS; row++) {
          db.delete(key(row));
        }
        db.compact(KeyRange.all());
        FamilyReport report = db.metrics().report();
        assertEquals(0, report.blobs().files(), report.toString());
        assertEquals(ByteSize.bytes(0), report.blobs().size());
        assertTrue(report.blobs().onDisk().bytes() > ROWS * SIZE, report.toString());
        assertTrue(report.tablesOnDisk().bytes() > report.tables().bytes(), report.toString());
        assertEquals(1, report.blobs().amplification());
      }
    }
  }

  @Test
  void blobsOfFamiliesAddUp() {
    try (RocksDb db = RocksDb.at(path).defaults(BLOBS).open()) {
      db.createFamily("none", FamilyOptions.defaults()).put(key(1), VALUE);
      fill(db);
      fill(db.createFamily("some", BLOBS));
      List<FamilyReport> reports =
          db.metrics().families().stream().sorted(Comparator.comparing(FamilyReport::name)).toList();
      assertEquals(List.of("default", "none", "some"), reports.stream().map(FamilyReport::name).toList());
      assertEquals(NO_BLOBS, reports.get(1).blobs());
      BlobReport all = reports.stream().map(FamilyReport::blobs).reduce(BlobReport::plus).orElseThrow();
      assertEquals(2, all.files());
      assertEquals(2 * db.metrics().report().blobs().size().bytes(), all.size().bytes());
      assertEquals(all.size(), all.onDisk());
    }
  }

  @Test
  void onlyGarbageIsInfinitelyMuch() {
    ByteSize size = ByteSize.kib(1);
    assertEquals(Double.POSITIVE_INFINITY, new BlobReport(1, size, size, size).amplification());
  }

  @Test
  void aCacheOfBlobsIsTold() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(3));
        RocksDb db = RocksDb.at(path).defaults(BLOBS.blobCache(cache)).open()) {
      fill(db);
      db.get(key(1));
      try (PinnedValue value = db.getPinned(key(2))) {
        CacheUse use = db.metrics().report().blobCache().orElseThrow();
        assertEquals(ByteSize.mib(3), use.capacity());
        assertEquals(cache.usage(), use.used());
        assertEquals(cache.pinnedUsage(), use.pinned());
        assertTrue(use.used().bytes() > 2 * SIZE && use.pinned().bytes() >= value.size(), use.toString());
      }
    }
  }

  @Test
  void aFamilyWithoutACacheHasNone() {
    try (RocksDb db =
        RocksDb.at(path).defaults(FamilyOptions.defaults().table(TableOptions.defaults().noBlockCache(true))).open()) {
      assertEquals(Optional.empty(), db.metrics().report().blockCache());
    }
  }

  @Test
  void readersAreToldToo() {
    BlobReport written;
    try (RocksDb db = RocksDb.at(path).defaults(BLOBS).open()) {
      fill(db);
      written = db.metrics().report().blobs();
    }
    try (RocksDb db = RocksDb.at(path).openReadOnly()) {
      assertEquals(written, db.metrics().report().blobs());
      assertEquals(1, db.metrics().families().size());
      assertEquals(ROWS, db.metrics().report().estimatedKeys());
    }
  }

  @Test
  void aClosedOneIsRefusedAndADroppedOneIsTold() {
    RocksDb db = RocksDb.at(path).defaults(BLOBS).open();
    ColumnFamily family = db.createFamily("family", BLOBS);
    fill(family);
    BlobReport blobs = family.metrics().report().blobs();
    db.dropFamily(family);
    assertEquals(blobs, family.metrics().report().blobs());
    family.close();
    assertThrowsExactly(IllegalStateException.class, () -> family.metrics().report());
    assertEquals(1, db.metrics().families().size());
    db.close();
    assertThrowsExactly(IllegalStateException.class, () -> db.metrics().report());
    assertThrowsExactly(IllegalStateException.class, () -> db.metrics().families());
  }
}
