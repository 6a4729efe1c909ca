/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.service;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import org.rocksdbffm.jmh.process.Printed;
import org.rocksdbffm.jmh.programs.process.ProcessMemory;

/**
 * Sixty stores with the options of Kafka Streams in one process. One store is written as fast as possible, while an
 * iterator is open. The other stores are written and read one after another. One store is used rarely, and its steps
 * are timed.
 */
public final class StoresProcess {
  private static final int STORES = 60;
  private static final int KEYS = 20_000;
  private static final int VALUE = 1 << 10;
  private static final int STEPS_AN_ITERATOR = 20_000;

  private final SplittableRandom seeds = new SplittableRandom(11);
  private final WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
  private final List<RocksDB> stores = new ArrayList<>();
  private final List<Long> steps = new ArrayList<>();
  private volatile boolean ended;
  private long written;

  private StoresProcess() {}

  /** The measurements that a process prints. */
  record Outcome(double mostResidentMib, double residentAtFirstMib, double p50Micros, double p99Micros,
      double mostMicros, long written) {
    double growthMib() {
      return mostResidentMib - residentAtFirstMib;
    }
  }

  /**
   * Runs the stores.
   *
   * @param arguments an empty folder, the seconds, and the MiB that the stores share, as in Kafka's memory management
   *     guide; 0 for default stores
   */
  public static void main(String[] arguments) throws Exception {
    RocksDB.loadLibrary();
    StoresProcess process = new StoresProcess();
    System.out.println(
        Printed.line(process.run(Path.of(arguments[0]), Long.parseLong(arguments[1]), Long.parseLong(arguments[2]))));
    Runtime.getRuntime().halt(0);
  }

  private Outcome run(Path folder, long seconds, long sharedMib) throws Exception {
    double atFirst = ProcessMemory.residentKib() / 1024.0;
    Cache shared = sharedMib == 0 ? null : new LRUCache(sharedMib << 20, -1, false, 0.1);
    WriteBufferManager manager = sharedMib == 0 ? null : new WriteBufferManager(sharedMib << 19, shared);
    for (int i = 0; i < STORES; i++) {
      stores.add(RocksDB.open(options(shared, manager), folder.resolve("store-" + i).toString()));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> running =
          List.of(threads.submit(this::useALittle), threads.submit(this::write), threads.submit(this::useAll));
      TimeUnit.SECONDS.sleep(seconds);
      ended = true;
      for (Future<?> each : running) {
        each.get();
      }
    }
    long[] sorted = steps.stream().mapToLong(Long::longValue).sorted().toArray();
    return new Outcome(
        ProcessMemory.mostResidentKib() / 1024.0, atFirst, sorted[sorted.length / 2] / 1e3,
            sorted[sorted.length * 99 / 100] / 1e3,
        sorted[sorted.length - 1] / 1e3, written);
  }

  private static Options options(Cache shared, WriteBufferManager manager) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig().setBlockSize(4 << 10).setFilterPolicy(new BloomFilter())
            .setBlockCache(new LRUCache(50 << 20));
    Options options = new Options().setCreateIfMissing(true).setWriteBufferSize(16 << 20).setMaxWriteBufferNumber(3)
        .setMaxBackgroundJobs(2);
    if (shared != null) {
      table.setBlockCache(shared).setCacheIndexAndFilterBlocks(true).setCacheIndexAndFilterBlocksWithHighPriority(true);
      table.setPinTopLevelIndexAndFilter(true);
      options.setWriteBufferManager(manager);
    }
    return options.setTableFormatConfig(table);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private void put(RocksDB store, SplittableRandom random) throws RocksDBException {
    byte[] value = new byte[VALUE];
    random.nextBytes(value);
    store.put(unlogged, key(random.nextInt(KEYS)), value);
  }

  private Void useALittle() throws Exception {
    SplittableRandom random = seeds.split();
    while (!ended) {
      long began = System.nanoTime();
      put(stores.getFirst(), random);
      stores.getFirst().get(key(random.nextInt(KEYS)));
      steps.add(System.nanoTime() - began);
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return null;
  }

  private Void write() throws RocksDBException {
    SplittableRandom random = seeds.split();
    while (!ended) {
      try (RocksIterator rows = stores.get(1).newIterator()) {
        rows.seekToFirst();
        for (int i = 0; i < STEPS_AN_ITERATOR && !ended; i++) {
          put(stores.get(1), random);
          written++;
        }
      }
    }
    return null;
  }

  private Void useAll() throws RocksDBException {
    SplittableRandom random = seeds.split();
    while (!ended) {
      RocksDB store = stores.get(random.nextInt(2, STORES));
      put(store, random);
      store.get(key(random.nextInt(KEYS)));
    }
    return null;
  }
}
