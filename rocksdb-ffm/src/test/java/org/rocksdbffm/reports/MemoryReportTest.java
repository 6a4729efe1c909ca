/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.reports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableOptions;

/** A database reports its memory by kind, and each block cache once. */
class MemoryReportTest {
  private static final int SIZE = 100_000;
  private static final byte[] KEY = "key".getBytes(UTF_8);
  @TempDir
  Path folder;

  private Path path;

  @BeforeEach
  void path() {
    path = folder.resolve("db");
  }

  @Test
  void aValueIsInAMemtableAndThenInABlockCacheAndPinned() {
    try (RocksDb db = RocksDb.open(path)) {
      db.put(KEY, new byte[SIZE]);
      MemoryReport written = db.metrics().memory();
      assertTrue(written.memtables().bytes() >= SIZE
          && written.unflushedMemtables().bytes() >= SIZE, written.toString());
      assertTrue(written.blockCaches().bytes() < SIZE, written.toString());
      db.flush();
      assertEquals(0, db.metrics().memory().pinnedValues().bytes());
      try (PinnedValue value = db.getPinned(KEY)) {
        MemoryReport read = db.metrics().memory();
        assertTrue(read.unflushedMemtables().bytes() < SIZE, read.toString());
        assertTrue(read.blockCaches().bytes() >= SIZE && read.pinnedInBlockCaches().bytes() >= SIZE, read.toString());
        assertEquals(SIZE, read.pinnedValues().bytes());
        assertEquals(read.memtables().bytes() + read.tableReaders().bytes()
            + read.blockCaches().bytes(), read.total().bytes());
      }
    }
  }

  @Test
  void aCacheThatFamiliesShareCountsOnce() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8))) {
      FamilyOptions shared = FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache));
      try (RocksDb db = RocksDb.at(path).defaults(shared).open()) {
        fillCache(db.createFamily("one", shared));
        fillCache(db.createFamily("two", shared));
        assertEquals(cache.usage().bytes(), db.metrics().memory().blockCaches().bytes());
      }
    }
  }

  @Test
  void familiesThatAreOpenedWithTheSameOptionsShareTheEnginesOwnCache() {
    RocksDb.open(path).close();
    try (RocksDb db = RocksDb.open(path)) {
      db.createFamily("one", FamilyOptions.defaults());
      db.createFamily("two", FamilyOptions.defaults());
    }
    try (RocksDb db = RocksDb.open(path)) {
      long one = fillCache(db.family("one"));
      long both = fillCache(db.family("two"));
      assertTrue(both >= one + SIZE, one + " " + both);
      assertEquals(both, cacheUsage(db.family("one")));
      assertEquals(both, db.metrics().memory().blockCaches().bytes());
    }
    Map<String, FamilyOptions> different =
        Map.of("one", FamilyOptions.defaults().writeBufferSize(ByteSize.mib(1)), "two", FamilyOptions.defaults());
    try (RocksDb db = RocksDb.at(path).families(different).open()) {
      long one = fillCache(db.family("one"));
      fillCache(db.family("two"));
      assertEquals(one, cacheUsage(db.family("one")));
      assertEquals(one + cacheUsage(db.family("two")), db.metrics().memory().blockCaches().bytes());
    }
  }

  /** Fills the family's block cache, and returns its usage. */
  private static long fillCache(ColumnFamily family) {
    family.put(KEY, new byte[SIZE]);
    family.flush();
    family.get(KEY);
    return cacheUsage(family);
  }

  private static long cacheUsage(ColumnFamily family) {
    return family.metrics().longProperty("rocksdb.block-cache-usage").orElseThrow();
  }
}
