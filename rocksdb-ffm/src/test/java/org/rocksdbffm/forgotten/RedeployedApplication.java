/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.forgotten;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.ByteView;
import org.rocksdbffm.CompactionFilter;
import org.rocksdbffm.Cursor;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.KeyReader;
import org.rocksdbffm.MemoryBudget;
import org.rocksdbffm.PinnedValue;
import org.rocksdbffm.PinnedValues;
import org.rocksdbffm.Pins;
import org.rocksdbffm.RateLimiter;
import org.rocksdbffm.ReadOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.Scan;
import org.rocksdbffm.Snapshot;
import org.rocksdbffm.SstFileManager;
import org.rocksdbffm.WriteBatch;
import org.rocksdbffm.reports.Profile;

/**
 * An application that is loaded repeatedly, each time by a separate class loader; see {@link ClassLoaderCases}. It uses
 * all features that might keep its class loader reachable, also on threads that outlive it, and closes all objects that
 * must be closed.
 */
public final class RedeployedApplication {
  /** A reader, which may stay in a static field because it needs no close. */
  static KeyReader left;

  static BlockCache cache;

  private RedeployedApplication() {}

  public static void run(Path folder, boolean withCallbacks, ExecutorService threadsOfTheServer) throws Exception {
    threadsOfTheServer.submit(() -> use(folder, withCallbacks, threadsOfTheServer)).get();
  }

  private static void use(Path folder, boolean withCallbacks, Executor others) {
    cache = BlockCache.lru(ByteSize.mib(1));
    MemoryBudget memory = MemoryBudget.of(ByteSize.mib(8));
    RateLimiter rate = RateLimiter.of(ByteSize.gib(1));
    SstFileManager files = SstFileManager.create();
    files.deletionRate(ByteSize.gib(1));
    DatabaseOptions options =
        DatabaseOptions.defaults().memoryBudget(memory).rateLimiter(rate).sstFileManager(files);
    FamilyOptions families = FamilyOptions.defaults();
    if (withCallbacks) {
      options = options.listener(event -> event.toString());
      families =
          families
              .keyOrder("as bytes", RedeployedApplication::compare)
              .mergeOperator("last", (key, value, operands) -> operands.getLast().toArray())
              .compactionFilter("all", compaction -> (level, key, value) -> CompactionFilter.Decision.KEEP);
    }
    try (RocksDb db = RocksDb.at(folder).options(options).defaults(families).open()) {
      db.pins().limit(Pins.Limits.none().warnAge(Duration.ofDays(1)).maxBytes(ByteSize.mib(100)));
      write(db, withCallbacks);
      read(db, others);
      left = db.with(ReadOptions.defaults().fillCache(false));
      left.get("key1".getBytes());
      db.with(ReadOptions.defaults().deadline(Duration.ofMinutes(1))).get("key1".getBytes());
      db.metrics().health();
      Profile.of(Profile.Level.ALL, () -> left.get("key2".getBytes()));
      db.cursor(); // leaked, which a logger reports if it is collected first
    }
    cache.close();
    memory.close();
    rate.close();
    files.close();
  }

  private static int compare(ByteView a, ByteView b) {
    return Arrays.compareUnsigned(a.toArray(), b.toArray());
  }

  private static void write(RocksDb db, boolean withCallbacks) {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        db.put(("key" + i).getBytes(), new byte[i * 100]);
        if (withCallbacks) {
          db.merge(("key" + i).getBytes(), ("merged" + i).getBytes());
        }
      }
      WriteBatch batch = new WriteBatch();
      batch.put("a".getBytes(), "b".getBytes());
      db.write(batch);
      db.flush();
    }
    db.compact(KeyRange.all());
    db.put("large".getBytes(), new byte[10_000]);
    db.flush();
  }

  private static void read(RocksDb db, Executor others) {
    byte[] key = "large".getBytes();
    db.get(key);
    db.get(key, bytes -> bytes.byteSize());
    db.getInto(MemorySegment.ofArray(key), Arena.ofAuto().allocate(20_000));
    try (Arena arena = Arena.ofConfined()) {
      db.get(key, arena);
    }
    try (PinnedValue value = db.getPinned(key);
        PinnedValues values = db.multiGet().add(key).add("key1".getBytes()).get();
        Snapshot snapshot = db.snapshot();
        Scan scan = db.scan(KeyRange.all());
        Cursor cursor = snapshot.cursor()) {
      value.segment();
      values.count();
      while (scan.next()) {
        scan.value();
      }
      cursor.last();
      cursor.value();
    }
    try (PinnedValue value = db.async(others, 10).getPinned(key).join()) {
      value.size();
    }
  }
}
