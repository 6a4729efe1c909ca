/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.Opening;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RocksDbException.Code;
import org.rocksdbffm.RocksDbException.SubCode;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.StoredOptions;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.reports.Statistics;
import org.rocksdbffm.reports.StatisticsLevel;
import org.rocksdbffm.reports.Ticker;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Caches of all kinds have the configured sizes; arguments with which the engine would end the process are refused. */
@ExtendWith(LiveObjectsCheck.class)
class CacheTest {
  private static final int ROWS = 200;

  @TempDir Path folder;

  private static byte[] key(int number) {
    return "key%04d".formatted(number).getBytes(UTF_8);
  }

  private static void fill(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      db.put(key(i), new byte[4000]);
    }
    db.flush();
  }

  private static void readAll(RocksDb db) {
    for (int i = 0; i < ROWS; i++) {
      assertEquals(4000, db.get(key(i)).length);
    }
  }

  @Test
  void aDatabaseReadsThroughACacheOfEachKind() {
    ByteSize size = ByteSize.mib(4);
    List<BlockCache> caches =
        List.of(
            BlockCache.lru(size),
            BlockCache.lru(size, 0),
            BlockCache.lru(size, 12),
            BlockCache.strictLru(size),
            BlockCache.hyperClock(size),
            BlockCache.hyperClock(size, ByteSize.kib(4)),
            BlockCache.hyperClock(size, ByteSize.bytes(256)),
            BlockCache.hyperClock(size, ByteSize.gib(1)),
            BlockCache.hyperClock(size, ByteSize.kib(4), 0),
            BlockCache.hyperClock(size, ByteSize.kib(4), 12));
    for (BlockCache cache : caches) {
      try (cache;
          RocksDb db = RocksDb.at(folder.resolve("db" + caches.indexOf(cache)))
              .defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache))).open()) {
        fill(db);
        readAll(db);
        assertEquals(size, cache.capacity());
        cache.capacity(ByteSize.mib(8));
        readAll(db);
        assertEquals(ByteSize.mib(8), cache.capacity());
      }
    }
  }

  @Test
  void sizesThatTheEngineDoesNotSurviveAreRefused() {
    ByteSize size = ByteSize.mib(4);
    assertRefused("shardBits: 13, but they are from 0 to 12", () -> BlockCache.lru(size, 13));
    assertRefused("shardBits: -1, but they are from 0 to 12", () -> BlockCache.lru(size, -1));
    assertRefused("shardBits: 20, but they are from 0 to 12", () -> RowCache.lru(size, 20));
    assertRefused("shardBits: 13, but they are from 0 to 12", () -> BlockCache.hyperClock(size, ByteSize.kib(1), 13));
    assertRefused(
        "entry: 255 bytes, but one is expected to have from 256 bytes to 1073741824",
        () -> BlockCache.hyperClock(size, ByteSize.bytes(255)));
    assertRefused(
        "entry: 1073741825 bytes, but one is expected to have from 256 bytes to 1073741824",
        () -> BlockCache.hyperClock(size, ByteSize.bytes((1 << 30) + 1), 1));
    assertRefused(
        "entry: 1024 bytes make 1073741824 entries, but the cache has room for 16777216: name a larger size, or none",
        () -> BlockCache.hyperClock(ByteSize.gib(1024), ByteSize.kib(1)));
    assertRefused(
        "capacity: 0 bytes, but a hyper clock cache has from 1 byte to 1099511627776",
        () -> BlockCache.hyperClock(ByteSize.bytes(0), ByteSize.kib(1)));
  }

  private static void assertRefused(String message, Executable code) {
    assertEquals(message, assertThrowsExactly(IllegalArgumentException.class, code).getMessage());
  }

  @Test
  void aStrictCacheThatIsFullFailsAReadAndSaysWhy() {
    try (BlockCache cache = BlockCache.strictLru(ByteSize.kib(512));
        RocksDb db = RocksDb.at(folder)
            .defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache))).open()) {
      fill(db);
      PinnedValue[] pinned = new PinnedValue[ROWS];
      RocksDbException full =
          assertThrowsExactly(RocksDbException.class, () -> {
            for (int i = 0; i < ROWS; i++) {
              pinned[i] = db.getPinned(key(i));
            }
          });
      assertEquals(SubCode.MEMORY_LIMIT, full.subCode(), full.getMessage());
      assertTrue(full.getMessage().contains("release pinned values"), full.getMessage());
      assertTrue(cache.usage().compareTo(cache.capacity()) <= 0, cache.usage()::toString);
      for (PinnedValue value : pinned) {
        if (value != null) {
          value.close();
        }
      }
      readAll(db);
      db.put(key(0), key(0));
      db.flush();
      assertArrayEquals(key(0), db.get(key(0)));
    }
  }

  @Test
  void valuesOfBlobFilesAreCached() {
    DatabaseOptions counted = DatabaseOptions.defaults().statistics(StatisticsLevel.TICKERS);
    FamilyOptions blobs = FamilyOptions.defaults().enableBlobFiles(true).minBlobSize(ByteSize.bytes(100));
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8));
        BlockCache clock = BlockCache.hyperClock(ByteSize.mib(8))) {
      for (BlockCache shared : List.of(cache, clock)) {
        try (RocksDb db = RocksDb.at(folder.resolve(shared == cache ? "lru" : "clock")).options(counted)
            .defaults(blobs.blobCache(shared)).open()) {
          fill(db);
          readAll(db);
          Statistics before = db.metrics().statistics();
          readAll(db);
          assertEquals(ROWS, db.metrics().statistics().since(before).count(Ticker.BLOBDB_CACHE_HIT));
          assertTrue(shared.usage().bytes() > ROWS * 4000L, shared.usage()::toString);
          try (PinnedValue pinned = db.getPinned(key(1))) {
            assertEquals(4000, pinned.size());
            assertTrue(shared.pinnedUsage().bytes() >= 4000, shared.pinnedUsage()::toString);
          }
        }
      }
    }
  }

  @Test
  void blobsAndBlocksMayShareACacheThatIsStrict() {
    try (BlockCache cache = BlockCache.strictLru(ByteSize.kib(512))) {
      FamilyOptions blobs =
          FamilyOptions.defaults().enableBlobFiles(true).table(TableOptions.defaults().blockCache(cache))
              .blobCache(cache);
      try (RocksDb db = RocksDb.at(folder).defaults(blobs).open()) {
        fill(db);
        readAll(db);
        RocksDbException full =
            assertThrowsExactly(RocksDbException.class, () -> pinAll(db));
        assertEquals(SubCode.MEMORY_LIMIT, full.subCode(), full.getMessage());
        readAll(db);
      }
      assertRefused(
          "option blob_cache: beside FamilyOptions.blobCache it has no effect; leave one out",
          () -> RocksDb.at(folder).defaults(blobs.option("blob_cache", "1M")).open());
      RocksDb.at(folder).defaults(StoredOptions.load(folder).families().get("default").blobCache(cache)).open().close();
    }
  }

  private static int pinAll(RocksDb db) {
    MultiGet all = db.multiGet();
    for (int i = 0; i < ROWS; i++) {
      all.add(key(i));
    }
    try (PinnedValues values = all.get()) {
      return values.count();
    }
  }

  @Test
  void aFamilyHasTheBlobCacheOfItsOwnOptions() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(1));
        RocksDb db = RocksDb.open(folder)) {
      ColumnFamily family =
          db.createFamily("blobs", FamilyOptions.defaults().enableBlobFiles(true).blobCache(cache));
      family.put(key(1), new byte[1000]);
      family.flush();
      assertEquals(0, cache.usage().bytes());
      family.get(key(1));
      assertTrue(cache.usage().bytes() >= 1000, cache.usage()::toString);
    }
  }

  @Test
  void aClosedCacheIsRefused() {
    RowCache rows = RowCache.lru(ByteSize.mib(1));
    BlockCache blobs = BlockCache.lru(ByteSize.mib(1));
    rows.close();
    blobs.close();
    Opening opening = RocksDb.at(folder);
    for (Opening closed :
        List.of(
            opening.options(DatabaseOptions.defaults().rowCache(rows)),
            opening.defaults(FamilyOptions.defaults().blobCache(blobs)))) {
      IllegalStateException refused = assertThrowsExactly(IllegalStateException.class, closed::open);
      assertTrue(refused.getMessage().endsWith("cache is closed"), refused.getMessage());
    }
  }

  @Test
  void codesOfAFullCacheAreThoseOfMemory() {
    assertEquals("Memory limit reached", SubCode.MEMORY_LIMIT.text());
    assertEquals("Operation aborted: ", Code.ABORTED.prefix());
  }
}
