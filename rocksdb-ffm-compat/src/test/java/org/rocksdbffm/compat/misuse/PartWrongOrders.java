/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.misuse;

import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.KEY;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.VALUE;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.open;
import static org.rocksdbffm.compat.misuse.DatabaseWrongOrders.openFlushed;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DirectSlice;
import org.rocksdb.Env;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PerfContext;
import org.rocksdb.RateLimiter;
import org.rocksdb.ReadOptions;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.Slice;
import org.rocksdb.Statistics;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Options, caches, slices and batches, closed before the databases that use them. */
final class PartWrongOrders {
  private PartWrongOrders() {}

  static void addTo(Map<String, WrongOrders.Case> all) {
    all.put("open with closed options", PartWrongOrders::closedOptions);
    all.put("make a family with closed options", PartWrongOrders::closedFamilyOptions);
    all.put("read with closed options", PartWrongOrders::closedReadOptions);
    all.put("iterate with closed options", PartWrongOrders::iterateWithClosedOptions);
    all.put("write with closed options", PartWrongOrders::closedWriteOptions);
    all.put("write a closed batch", PartWrongOrders::closedBatch);
    all.put("fill a closed batch", PartWrongOrders::fillClosedBatch);
    all.put("use a closed iterator", PartWrongOrders::closedIterator);
    all.put("step an iterator that is on no row", PartWrongOrders::iteratorOnNoRow);
    all.put("read an iterator that is on no row", PartWrongOrders::rowOfNoRow);
    all.put("a bound is closed before its iterator", PartWrongOrders::closedBound);
    all.put("a closed slice becomes a bound", PartWrongOrders::closedSliceAsBound);
    all.put("use a closed slice", PartWrongOrders::closedSlice);
    all.put("close a slice twice", PartWrongOrders::sliceTwice);
    all.put("close a direct slice and read it", PartWrongOrders::closedDirectSlice);
    all.put("read beyond a slice", PartWrongOrders::beyondSlice);
    all.put("an environment is closed before its database", PartWrongOrders::closedEnvironment);
    all.put("a compaction filter is closed before its database", PartWrongOrders::closedFilter);
    all.put("a merge operator is closed before its database", PartWrongOrders::closedMergeOperator);
    all.put("a cache is closed before its database", PartWrongOrders::closedCache);
    all.put("a closed cache is put into options", PartWrongOrders::useClosedCache);
    all.put("ask a closed cache", PartWrongOrders::askClosedCache);
    all.put("ask closed statistics", PartWrongOrders::askClosedStatistics);
    all.put("statistics outlive their database", PartWrongOrders::statisticsOutlive);
    all.put("ask a closed rate limiter", PartWrongOrders::askClosedLimiter);
    all.put("a write buffer manager is closed before its database", PartWrongOrders::closedBufferManager);
    all.put("copy closed options", PartWrongOrders::copyClosedOptions);
    all.put("set closed options", PartWrongOrders::setClosedOptions);
    all.put("count what another thread did, which is gone", PartWrongOrders::countOfDeadThread);
  }

  private static void closedOptions(Path folder) throws Exception {
    Options options = new Options().setCreateIfMissing(true);
    options.close();
    RocksDB.open(options, folder.toString()).close();
  }

  private static void closedFamilyOptions(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      ColumnFamilyOptions options = new ColumnFamilyOptions();
      options.close();
      db.createColumnFamily(new ColumnFamilyDescriptor(KEY, options));
    }
  }

  private static void closedReadOptions(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      ReadOptions read = new ReadOptions();
      read.close();
      db.get(read, KEY);
    }
  }

  private static void iterateWithClosedOptions(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      ReadOptions read = new ReadOptions();
      RocksIterator before = db.newIterator(read);
      read.close();
      before.seekToFirst();
      before.close();
      db.newIterator(read).seekToFirst();
    }
  }

  private static void closedWriteOptions(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      WriteOptions write = new WriteOptions();
      write.close();
      db.put(write, KEY, VALUE);
    }
  }

  private static void closedBatch(Path folder) throws Exception {
    try (RocksDB db = open(folder);
        WriteOptions write = new WriteOptions()) {
      WriteBatch batch = new WriteBatch();
      batch.put(KEY, VALUE);
      batch.close();
      db.write(write, batch);
    }
  }

  private static void fillClosedBatch(Path folder) throws Exception {
    WriteBatch batch = new WriteBatch();
    batch.close();
    for (int i = 0; i < 100; i++) {
      batch.put(KEY, new byte[1000]);
    }
  }

  private static void closedIterator(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder)) {
      RocksIterator rows = db.newIterator();
      rows.seekToFirst();
      rows.close();
      rows.next();
      rows.seekToFirst();
      rows.key();
    }
  }

  private static void iteratorOnNoRow(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder);
        RocksIterator rows = db.newIterator()) {
      rows.next();
      rows.prev();
      rows.seekToLast();
      rows.next();
      rows.next();
    }
  }

  private static void rowOfNoRow(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder);
        RocksIterator rows = db.newIterator()) {
      rows.key();
    }
  }

  private static void closedBound(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder)) {
      for (int i = 0; i < 100; i++) {
        Slice bound = new Slice("key5");
        ReadOptions read = new ReadOptions().setIterateUpperBound(bound);
        RocksIterator rows = db.newIterator(read);
        bound.close();
        read.close();
        new Slice(new byte[4]).close();
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          rows.key();
        }
        rows.close();
      }
    }
  }

  private static void closedSliceAsBound(Path folder) throws Exception {
    try (RocksDB db = openFlushed(folder);
        ReadOptions read = new ReadOptions()) {
      Slice bound = new Slice("key5");
      bound.close();
      read.setIterateUpperBound(bound);
      db.newIterator(read).seekToFirst();
    }
  }

  private static void closedSlice(Path folder) {
    Slice slice = new Slice("text");
    slice.close();
    slice.size();
    slice.data();
  }

  private static void sliceTwice(Path folder) {
    Slice slice = new Slice("text");
    slice.close();
    slice.close();
  }

  private static void closedDirectSlice(Path folder) {
    DirectSlice slice = new DirectSlice("text");
    slice.close();
    slice.get(2);
  }

  private static void beyondSlice(Path folder) {
    try (DirectSlice slice = new DirectSlice("text")) {
      slice.get(Integer.MAX_VALUE);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void closedEnvironment(Path folder) throws Exception {
    RocksMemEnv env = new RocksMemEnv(Env.getDefault());
    try (Options options = new Options().setCreateIfMissing(true).setEnv(env);
        RocksDB db = RocksDB.open(options, "/nowhere")) {
      env.close();
      db.put(KEY, VALUE);
      db.compactRange();
      db.get(KEY);
    }
  }

  private static void closedFilter(Path folder) throws Exception {
    RemoveEmptyValueCompactionFilter filter = new RemoveEmptyValueCompactionFilter();
    try (Options options = new Options().setCreateIfMissing(true).setCompactionFilter(filter);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      filter.close();
      db.put(KEY, new byte[0]);
      db.compactRange();
    }
  }

  private static void closedMergeOperator(Path folder) throws Exception {
    StringAppendOperator operator = new StringAppendOperator();
    try (Options options = new Options().setCreateIfMissing(true).setMergeOperator(operator);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      operator.close();
      db.merge(KEY, VALUE);
      db.get(KEY);
    }
  }

  private static void closedCache(Path folder) throws Exception {
    LRUCache cache = new LRUCache(1 << 20);
    BloomFilter filter = new BloomFilter();
    BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter);
    try (Options options = new Options().setCreateIfMissing(true).setTableFormatConfig(table);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      cache.close();
      filter.close();
      db.put(KEY, VALUE);
      db.compactRange();
      db.get(KEY);
    }
  }

  private static void useClosedCache(Path folder) throws Exception {
    LRUCache cache = new LRUCache(1 << 20);
    cache.close();
    try (Options options = new Options().setCreateIfMissing(true)) {
      options.setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
      RocksDB.open(options, folder.toString()).close();
    }
  }

  private static void askClosedCache(Path folder) {
    LRUCache cache = new LRUCache(1 << 20);
    cache.close();
    cache.getUsage();
  }

  private static void askClosedStatistics(Path folder) {
    Statistics statistics = new Statistics();
    statistics.close();
    statistics.getTickerCount(TickerType.BYTES_READ);
  }

  private static void statisticsOutlive(Path folder) throws Exception {
    Statistics statistics = new Statistics();
    Options options = new Options().setCreateIfMissing(true).setStatistics(statistics);
    RocksDB db = RocksDB.open(options, folder.toString());
    db.get(KEY);
    db.close();
    options.close();
    statistics.getTickerCount(TickerType.BYTES_READ);
    statistics.close();
    statistics.close();
  }

  private static void askClosedLimiter(Path folder) {
    RateLimiter limiter = new RateLimiter(1 << 20);
    limiter.close();
    limiter.getTotalRequests();
    limiter.request(1);
  }

  private static void closedBufferManager(Path folder) throws Exception {
    LRUCache cache = new LRUCache(1 << 20);
    WriteBufferManager buffers = new WriteBufferManager(1 << 20, cache);
    try (Options options = new Options().setCreateIfMissing(true).setWriteBufferManager(buffers);
        RocksDB db = RocksDB.open(options, folder.toString())) {
      buffers.close();
      cache.close();
      db.put(KEY, VALUE);
    }
  }

  private static void copyClosedOptions(Path folder) {
    Options options = new Options();
    options.close();
    new Options(options).close();
  }

  private static void setClosedOptions(Path folder) {
    Options options = new Options();
    options.close();
    options.setDbLogDir("a folder with a name that is long enough to need memory of its own");
  }

  private static void countOfDeadThread(Path folder) throws Exception {
    try (RocksDB db = open(folder)) {
      for (int i = 0; i < 50; i++) {
        FutureTask<PerfContext> task = new FutureTask<>(db::getPerfContext);
        Thread thread = Thread.ofPlatform().start(task);
        PerfContext context = task.get();
        thread.join();
        context.reset();
        context.getBlockReadCount();
      }
    }
  }
}
