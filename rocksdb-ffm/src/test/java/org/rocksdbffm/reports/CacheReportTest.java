/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeySpace;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableFilter;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** A block cache reports its entries by kind, only once if several databases share it. */
@ExtendWith(LiveObjectsCheck.class)
class CacheReportTest {
  private static final int SIZE = 100_000;
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final DatabaseOptions CREATE =
      DatabaseOptions.defaults().option("stats_dump_period_sec", "0"); // otherwise the engine itself scans the cache

  @TempDir Path folder;

  private Path path;

  @BeforeEach
  void path() {
    path = folder.resolve("db");
  }

  private static FamilyOptions with(BlockCache cache) {
    return FamilyOptions.defaults().table(
        TableOptions.defaults().blockCache(cache).filter(TableFilter.bloom(10)).cacheIndexAndFilterBlocks(true));
  }

  private static void fill(KeySpace family) {
    family.put(KEY, new byte[SIZE]);
    family.flush();
    family.get(KEY);
  }

  @Test
  void entriesAreToldByTheirKinds() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8));
        RocksDb db = RocksDb.at(path).options(CREATE).defaults(with(cache)).open()) {
      fill(db);
      CacheReport report = db.metrics().cache(CacheReport.Scan.FRESH);
      assertEquals(ByteSize.mib(8), report.capacity());
      assertEquals(1, report.share(CacheReport.Role.DATA_BLOCK).count());
      assertEquals(1, report.share(CacheReport.Role.INDEX_BLOCK).count());
      assertEquals(1, report.share(CacheReport.Role.FILTER_BLOCK).count());
      assertEquals(new CacheReport.Share(0, ByteSize.bytes(0), 0), report.share(CacheReport.Role.BLOB_VALUE));
      CacheReport.Share data = report.share(CacheReport.Role.DATA_BLOCK);
      assertTrue(data.size().bytes() >= SIZE && data.size().bytes() < SIZE + 1000, data.toString());
      assertEquals(100.0 * data.size().bytes() / ByteSize.mib(8).bytes(), data.percent(), 0.0001);
      assertEquals(cache.usage().bytes(), report.total().size().bytes(), 1000, report.toString());
      assertEquals(report.shares().values().stream().mapToLong(CacheReport.Share::count).sum(), report.total().count());
      assertEquals(1, report.scans());
      assertTrue(report.scanTook().compareTo(Duration.ofSeconds(60)) < 0, report.toString());
      assertTrue(report.age().compareTo(Duration.ofSeconds(60)) < 0, report.toString());
    }
  }

  @Test
  void anAnswerIsKeptForAWhile() {
    try (BlockCache cache = BlockCache.hyperClock(ByteSize.mib(8));
        RocksDb db = RocksDb.at(path).options(CREATE).defaults(with(cache)).open()) {
      CacheReport first = db.metrics().cache(CacheReport.Scan.CHEAP);
      assertEquals(0, first.share(CacheReport.Role.DATA_BLOCK).count());
      fill(db);
      CacheReport second = db.metrics().cache(CacheReport.Scan.CHEAP);
      assertEquals(first.shares(), second.shares());
      assertEquals(1, second.scans());
    }
  }

  @Test
  void aCacheThatDatabasesAndFamiliesShareIsToldOnceAndAsAWhole() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8));
        RocksDb db = RocksDb.at(path).options(CREATE).defaults(with(cache)).open()) {
      ColumnFamily family = db.createFamily("family", with(cache));
      db.createFamily("apart", FamilyOptions.defaults());
      try (RocksDb other = RocksDb.at(folder.resolve("other")).options(CREATE).defaults(with(cache)).open()) {
        fill(other);
        fill(db);
        fill(family);
        assertEquals(3, family.metrics().cache(CacheReport.Scan.FRESH).share(CacheReport.Role.DATA_BLOCK).count());
        assertEquals(1, other.metrics().caches(CacheReport.Scan.FRESH).size());
        assertEquals(db.metrics().cache(CacheReport.Scan.FRESH).cache(),
            other.metrics().cache(CacheReport.Scan.FRESH).cache());
      }
      List<CacheReport> reports = db.metrics().caches(CacheReport.Scan.FRESH);
      assertEquals(2, reports.size(), reports.toString());
      assertEquals(
          1,
          reports.stream().filter(report -> report.cache().equals(db.metrics().cache(CacheReport.Scan.CHEAP).cache()))
              .count());
    }
  }

  @Test
  void blobsInTheCacheOfBlocksAndMemtablesThatAreChargedToItAreToldApart() {
    try (MemoryBudget budget = MemoryBudget.of(ByteSize.mib(8));
        RocksDb db =
            RocksDb.at(path)
                .options(CREATE.memoryBudget(budget))
                .defaults(FamilyOptions.defaults().enableBlobFiles(true)).open()) {
      fill(db);
      db.put(KEY, new byte[SIZE]);
      CacheReport report = db.metrics().cache(CacheReport.Scan.FRESH);
      assertEquals(1, report.share(CacheReport.Role.BLOB_VALUE).count(), report.toString());
      assertTrue(report.share(CacheReport.Role.WRITE_BUFFER).count() > 0, report.toString());
    }
  }

  @Test
  void aFamilyWithoutACacheSaysHowToHaveOne() {
    try (RocksDb db = RocksDb.at(path).options(CREATE)
        .defaults(FamilyOptions.defaults().table(TableOptions.defaults().noBlockCache(true))).open()) {
      IllegalStateException refused =
          assertThrowsExactly(IllegalStateException.class, () -> db.metrics().cache(CacheReport.Scan.FRESH));
      assertEquals(
          "column family 'default' of database " + path + " has no block cache that can be looked through: open it"
              + " without TableOptions.noBlockCache, and with a cache that is not full",
          refused.getMessage());
      assertEquals(List.of(), db.metrics().caches(CacheReport.Scan.CHEAP));
    }
  }

  @Test
  void aCacheWithoutRoomIsTold() {
    try (BlockCache cache = BlockCache.lru(ByteSize.bytes(0));
        RocksDb db = RocksDb.at(path).options(CREATE).defaults(with(cache)).open()) {
      fill(db);
      try (PinnedValue value = db.getPinned(KEY)) {
        CacheReport report = db.metrics().cache(CacheReport.Scan.FRESH);
        assertEquals(ByteSize.bytes(0), report.capacity());
        assertTrue(report.total().size().bytes() >= 0 && value.size() == SIZE, report.toString());
        assertEquals(0, report.total().percent());
      }
    }
  }

  @Test
  void readersAreToldToo() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8))) {
      try (RocksDb db = RocksDb.at(path).options(CREATE).defaults(with(cache)).open()) {
        fill(db);
      }
      try (RocksDb db = RocksDb.at(path).options(CREATE).defaults(with(cache)).openReadOnly()) {
        assertEquals(1, db.metrics().caches(CacheReport.Scan.FRESH).size());
        assertEquals(ByteSize.mib(8), db.metrics().cache(CacheReport.Scan.FRESH).capacity());
      }
    }
  }

  @Test
  void aClosedOneIsRefusedAndADroppedOneIsTold() {
    RocksDb db = RocksDb.open(path);
    ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
    db.dropFamily(family);
    assertEquals(1, family.metrics().cache(CacheReport.Scan.FRESH).scans());
    family.close();
    assertThrowsExactly(IllegalStateException.class, () -> family.metrics().cache(CacheReport.Scan.FRESH));
    db.close();
    assertThrowsExactly(IllegalStateException.class, () -> db.metrics().cache(CacheReport.Scan.FRESH));
    assertThrowsExactly(IllegalStateException.class, () -> db.metrics().caches(CacheReport.Scan.CHEAP));
  }

  @Test
  void theSharesAreACopy() {
    CacheReport.Share share = new CacheReport.Share(1, ByteSize.kib(1), 50);
    CacheReport report =
        new CacheReport(
            "cache", ByteSize.kib(2), Map.of(CacheReport.Role.MISC, share), 1, Duration.ofMillis(1),
            Duration.ofSeconds(1));
    assertThrowsExactly(UnsupportedOperationException.class, () -> report.shares().clear());
    assertEquals(share, report.total());
  }
}
