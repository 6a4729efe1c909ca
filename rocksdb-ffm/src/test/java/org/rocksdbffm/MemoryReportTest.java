/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database tells the memory that it uses, by kind, and each block cache once. */
class MemoryReportTest {
  private static final int SIZE = 100_000;
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final Options CREATE = Options.defaults().createIfMissing(true);

  @TempDir
  Path folder;

  private Path path;

  @BeforeEach
  void path() {
    path = folder.resolve("db");
  }

  @Test
  void aValueIsInAMemtableAndThenInABlockCacheAndPinned() {
    try (RocksDb db = RocksDb.open(path, CREATE)) {
      db.put(KEY, new byte[SIZE]);
      MemoryReport written = db.memory();
      assertTrue(written.memtables() >= SIZE && written.unflushedMemtables() >= SIZE, written.toString());
      assertTrue(written.blockCaches() < SIZE, written.toString());
      db.flush();
      assertEquals(0, db.memory().pinnedValues());
      try (PinnedValue value = db.getPinned(KEY)) {
        MemoryReport read = db.memory();
        assertTrue(read.unflushedMemtables() < SIZE, read.toString());
        assertTrue(read.blockCaches() >= SIZE && read.pinnedInBlockCaches() >= SIZE, read.toString());
        assertEquals(SIZE, read.pinnedValues());
        assertEquals(read.memtables() + read.tableReaders() + read.blockCaches(), read.total());
      }
    }
  }

  @Test
  void aCacheThatFamiliesShareCountsOnce() {
    try (BlockCache cache = BlockCache.lru(ByteSize.mib(8))) {
      Options shared = CREATE.table(TableOptions.defaults().blockCache(cache));
      try (RocksDb db = RocksDb.open(path, shared)) {
        fillCache(db.createColumnFamily("one", shared));
        fillCache(db.createColumnFamily("two", shared));
        assertEquals(cache.usage().bytes(), db.memory().blockCaches());
      }
    }
  }

  @Test
  void familiesThatAreOpenedWithTheSameOptionsShareTheEnginesOwnCache() {
    RocksDb.open(path, CREATE).close();
    try (RocksDb db = RocksDb.open(path, CREATE)) {
      db.createColumnFamily("one", CREATE);
      db.createColumnFamily("two", CREATE);
    }
    try (RocksDb db = RocksDb.open(path, CREATE)) {
      long one = fillCache(db.columnFamily("one"));
      long both = fillCache(db.columnFamily("two"));
      assertTrue(both >= one + SIZE, one + " " + both);
      assertEquals(both, cacheUsage(db.columnFamily("one")));
      assertEquals(both, db.memory().blockCaches());
    }
    Map<String, Options> different = Map.of("one", CREATE.writeBufferSize(ByteSize.mib(1)), "two", CREATE);
    try (RocksDb db = RocksDb.open(path, CREATE, different)) {
      long one = fillCache(db.columnFamily("one"));
      fillCache(db.columnFamily("two"));
      assertEquals(one, cacheUsage(db.columnFamily("one")));
      assertEquals(one + cacheUsage(db.columnFamily("two")), db.memory().blockCaches());
    }
  }

  /** Returns how much the family's cache has. */
  private static long fillCache(ColumnFamily family) {
    family.put(KEY, new byte[SIZE]);
    family.flush();
    family.get(KEY);
    return cacheUsage(family);
  }

  private static long cacheUsage(ColumnFamily family) {
    return family.longProperty("rocksdb.block-cache-usage").orElseThrow();
  }
}
