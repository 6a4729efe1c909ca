/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.crash;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.MultiGet;
import org.rocksdbffm.Options;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.tools.LiveObjectsCheck;

/** Cases at the limits of stacks, heaps, arguments and caches that must not take a JVM down; see {@link CrashTest}. */
final class LimitCrashCases extends CrashCase {
  LimitCrashCases(Path folder) {
    super(folder);
  }

  void stackOverflowsLeaveNoCall() throws Exception {
    List<Work> works =
        List.of(
            (db, i) -> db.get(bytes("key1")),
            (db, i) -> db.put(bytes("key1"), bytes("new")),
            (db, i) -> db.columnFamily("other").get(bytes("key" + i % ROWS)),
            (db, i) -> db.mayExist(bytes("key2")));
    RocksDb db = filled();
    int overflows = 0;
    try (ExecutorService idle = Executors.newFixedThreadPool(2, task -> new Thread(null, task, "deep", 1 << 19))) {
      for (int round = 0; round < 100; round++) {
        Work work = works.get(round % works.size());
        int each = round;
        Callable<Integer> task = () -> overflow(db, work, each);
        overflows += idle.submit(task).get();
        Thread dying = new Thread(null, () -> overflow(db, work, each), "dying", 1 << 19);
        dying.start();
        dying.join();
      }
      // Those threads are alive and idle: what they lost must not keep the database.
      require(overflows == 100, overflows + " stack overflows");
      require(db.pinCount() == 0, db.pinCount() + " pins");
      try (Cursor cursor = db.cursor()) {
        overflow(db, (same, i) -> cursor.seek(bytes("key1")), 0);
        overflow(db, (same, i) -> cursor.next(), 0);
        db.close();
      }
    }
    RocksDb.open(folder).close();
  }

  private static int overflow(RocksDb db, Work work, int round) {
    try {
      deepen(db, work, round);
      return 0;
    } catch (StackOverflowError e) {
      return 1;
    } catch (IllegalStateException noRow) {
      require(noRow.getMessage().contains("is not at a row"), noRow.toString());
      return 1;
    }
  }

  private static int deepen(RocksDb db, Work work, int round) {
    work.run(db, round);
    return deepen(db, work, round) + 1;
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

  void oneReadOfManyFamilies() {
    try (RocksDb db = RocksDb.open(folder)) {
      MultiGet request = db.multiGet();
      for (int i = 0; i < 100; i++) {
        ColumnFamily family = db.createColumnFamily("family" + i, Options.defaults());
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
        Options options =
            Options.defaults().createIfMissing(true).table(TableOptions.defaults().blockCache(clock));
        try (RocksDb db = RocksDb.open(folder, options)) {
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
}
