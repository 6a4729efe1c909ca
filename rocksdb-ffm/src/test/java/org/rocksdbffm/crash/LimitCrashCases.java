/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.rocksdbffm.AsyncWriter;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.RowCache;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Cases at the limits of heaps, arguments and caches that must not crash a JVM; see {@link CrashTest}. */
final class LimitCrashCases extends CrashCase {
  LimitCrashCases(Path folder) {
    super(folder);
  }

  void heapRunsOut() throws Exception {
    RocksDb db = RocksDb.open(folder);
    byte[] value = new byte[8 << 20];
    db.put(bytes("key"), value);
    db.flush();
    List<byte[]> hoard = new ArrayList<>();
    int failures = 0;
    while (failures < 200) {
      try {
        if (failures < 20) {
          hoard.add(db.get(bytes("key")));
        } else if (failures % 2 == 0) {
          hoard.add(db.get(bytes("key"), Arena.ofAuto()).toArray(ValueLayout.JAVA_BYTE));
        } else {
          hoard.addAll(db.multiGet(List.of(bytes("key"), bytes("key"))));
        }
      } catch (OutOfMemoryError expected) {
        failures++;
      }
    }
    hoard.clear();
    require(db.get(bytes("key")).length == value.length, "get afterwards");
    db.close();
    LiveObjectsCheck.awaitNone();
    RocksDb.open(folder).close();
  }

  void groupThatExceedsTheHeap() {
    Queue<Runnable> queue = new ArrayDeque<>();
    try (RocksDb db = RocksDb.open(folder)) {
      AsyncWriter writer = db.asyncWriter(queue::add, 10);
      WriteBatch large = new WriteBatch();
      large.put(bytes("large"), new byte[64 << 20]);
      List<CompletableFuture<Void>> group = List.of(writer.put(bytes("first"), bytes("1")), writer.write(large));
      List<byte[]> hoard = new ArrayList<>();
      try {
        while (true) {
          hoard.add(new byte[4 << 20]);
        }
      } catch (OutOfMemoryError expected) {
        hoard.subList(0, Math.min(2, hoard.size())).clear(); // less than the group needs
      }
      queue.remove().run();
      hoard.clear();
      require(group.stream().allMatch(CompletableFuture::isDone), "changes of the group are pending");
      require(group.getFirst().isCompletedExceptionally() == (db.get(bytes("first")) == null), "the first change");
      require(group.getLast().isCompletedExceptionally() != db.contains(bytes("large")), "the large change");
      CompletableFuture<Void> later = writer.put(bytes("later"), bytes("2"));
      queue.remove().run();
      later.join();
    }
  }

  void oneReadOfManyFamilies() {
    try (RocksDb db = RocksDb.open(folder)) {
      MultiGet request = db.multiGet();
      for (int i = 0; i < 100; i++) {
        ColumnFamily family = db.createFamily("family" + i, FamilyOptions.defaults());
        family.put(bytes("key"), bytes("value" + i));
        request.add(family, bytes("key"));
      }
      try (PinnedValues values = request.get()) {
        for (int i = 0; i < 100; i++) {
          require(Arrays.equals(values.get(i), bytes("value" + i)), "value " + i);
        }
      }
    }
  }

  void mapsLie() {
    try (RocksDb db = RocksDb.open(folder)) {
      Map<String, String> lying = new AbstractMap<>() {
        @Override
        public Set<Entry<String, String>> entrySet() {
          return Set.of(Map.entry("disable_auto_compactions", "true"));
        }

        @Override
        public int size() {
          return 1_000_000;
        }
      };
      db.setOptions(lying);
      Map<String, String> database = new AbstractMap<>() {
        @Override
        public Set<Entry<String, String>> entrySet() {
          return Set.of(Map.entry("max_open_files", "100"));
        }

        @Override
        public int size() {
          return 1_000_000;
        }
      };
      db.setDatabaseOptions(database);
    }
  }

  void cachesOfAnySize() throws IOException {
    long[] sizes = {0, 1, 4096, 1 << 20, 1L << 40, (1L << 40) + 1, 1L << 50, Long.MAX_VALUE};
    for (long size : sizes) {
      try (BlockCache lru = BlockCache.lru(ByteSize.bytes(size))) {
        require(lru.capacity().bytes() == size, "LRU capacity " + lru.capacity());
      }
      boolean fits = size > 0 && size <= 1L << 40;
      try (BlockCache clock = BlockCache.hyperClock(ByteSize.bytes(size))) {
        require(fits && clock.capacity().bytes() == size, "capacity " + clock.capacity());
        FamilyOptions options =
            FamilyOptions.defaults().table(TableOptions.defaults().blockCache(clock));
        try (RocksDb db = RocksDb.at(folder).defaults(options).open()) {
          db.put(bytes("key"), bytes("value"));
          db.flush();
          require(db.get(bytes("key")) != null, "get");
        }
      } catch (IllegalArgumentException e) {
        require(!fits && e.getMessage().startsWith("capacity: " + size + " bytes, but"), e.toString());
      }
    }
    Files.walk(folder).close();
  }

  void cachesOfAnyShape() {
    long[] sizes = {0, 1, 4096, 1 << 20, 1L << 34, Long.MAX_VALUE};
    for (long size : sizes) {
      for (int bits : new int[] {0, 5, 12}) {
        reads(BlockCache.lru(ByteSize.bytes(size), bits), null);
        reads(BlockCache.strictLru(ByteSize.bytes(size)), RowCache.lru(ByteSize.bytes(size), bits));
        if (size > 0 && size < Long.MAX_VALUE) {
          reads(BlockCache.hyperClock(ByteSize.bytes(size), ByteSize.kib(64), bits),
              RowCache.lru(ByteSize.bytes(size)));
        }
      }
    }
  }

  /** Reads with the caches; a read may fail if a strict cache is full. */
  private void reads(BlockCache cache, RowCache rows) {
    DatabaseOptions database = rows == null ? DatabaseOptions.defaults() : DatabaseOptions.defaults().rowCache(rows);
    FamilyOptions options =
        FamilyOptions.defaults()
            .enableBlobFiles(true)
            .table(TableOptions.defaults().blockCache(cache).cacheIndexAndFilterBlocks(true))
            .blobCache(cache);
    try (cache; rows; RocksDb db = RocksDb.at(folder).options(database).defaults(options).open()) {
      db.put(bytes("key"), large(1));
      db.flush();
      require(db.get(bytes("key")).length == LARGE, "get");
    } catch (RocksDbException full) {
      require(full.subCode() == RocksDbException.SubCode.MEMORY_LIMIT, full.getMessage());
    }
  }
}
