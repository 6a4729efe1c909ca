/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.threads;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.work.Owned;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench virtual}: threads that must not wait read data that is larger than the cache. */
public final class VirtualBench {
  private static final String USAGE =
      """
      usage: ./bench virtual [--loop] [--mib N] [--threads N] [--reads N] [--disk N] [--connections N] [--runs N]
      Virtual threads on two carriers read rows of 1 KiB, half of them from a hot twentieth that is cached, from a
      database ten times as large as its cache, without the system's cache. Each engine call on the virtual thread
      itself, next to an AsyncReader with some platform threads for the disk, to platform threads, and to rocksdbjni. A
      further virtual thread wakes up every millisecond: its delay says how long others wait for a carrier.
      Then an event loop with some connections reads as many rows, with db.get and with an AsyncReader, next to a loop
      whose reads are all made by other threads: its times show the machine and the garbage collector. --loop
      measures only event loops.
      """;

  private static final int MOST = 1_000_000;

  private final LargeDatabase rows;
  private final int threads;
  private final int reads; // of each thread

  private VirtualBench(LargeDatabase rows, int threads, int reads) {
    this.rows = rows;
    this.threads = threads;
    this.reads = reads;
  }

  /** Reads in all ways, alternately. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, VirtualBench::start, words);
  }

  private static int start(String... arguments) throws Exception {
    Set<String> options = Set.of("--mib", "--threads", "--reads", "--disk", "--connections", "--runs");
    CommandLine line = CommandLine.parse(Set.of("--loop"), options, arguments);
    int disk = line.number("--disk", 32, MOST);
    int threads = line.number("--threads", 10_000, MOST);
    int reads = line.number("--reads", 20, MOST);
    int connections = line.number("--connections", 100, MOST);
    try (TemporaryFolder folder = TemporaryFolder.create();
        ExecutorService pool = Executors.newFixedThreadPool(disk)) {
      LargeDatabase rows = new LargeDatabase(folder.path().resolve("db"), line.number("--mib", 1024, MOST));
      rows.fill();
      VirtualBench bench = new VirtualBench(rows, threads, reads);
      EventLoop loop = new EventLoop(rows, connections, Math.ceilDiv(threads * reads, connections));
      for (int run = 0; run < line.number("--runs", 3, MOST); run++) {
        try (RocksDb db = rows.open()) {
          rows.warm(db::get);
          if (!line.has("--loop")) {
            bench.measure(db, pool, disk);
          }
          loop.measure(db, pool);
        }
        if (!line.has("--loop")) {
          bench.measureJni(pool, disk);
        }
      }
    }
    return 0;
  }

  private void measure(RocksDb db, ExecutorService pool, int disk) throws InterruptedException, ExecutionException {
    AsyncReader reader = db.async(pool, MOST);
    measure("db.get on virtual threads", Thread.ofVirtual().factory(), db::get);
    measure("AsyncReader.get(key).join()", Thread.ofVirtual().factory(), key -> reader.get(key).join());
    measureOn("db.get on " + disk + " platform threads", pool, db::get);
  }

  private void measureJni(ExecutorService pool, int disk)
      throws RocksDBException, InterruptedException, ExecutionException {
    Owned owned = new Owned();
    try {
      RocksDB db = rows.openJni(owned);
      rows.warm(db::get);
      measure("rocksdbjni on virtual threads", Thread.ofVirtual().factory(), db::get);
      measureOn("rocksdbjni on " + disk + " platform threads", pool, db::get);
    } finally {
      owned.close();
    }
  }

  /** Reads rows, and stores the nanoseconds of each read. */
  private void read(int thread, LargeDatabase.Read read, long[] times, Ends ends) {
    Random random = new Random(thread);
    ends.run(() -> {
      for (int i = 0; i < reads; i++) {
        byte[] key = rows.randomKey(random);
        long before = System.nanoTime();
        read.require(key);
        times[thread * reads + i] = System.nanoTime() - before;
      }
      ends.ended();
    });
  }

  private void measure(String way, ThreadFactory factory, LargeDatabase.Read read)
      throws InterruptedException, ExecutionException {
    long[] times = new long[threads * reads];
    Ends ends = new Ends(threads);
    AtomicBoolean isOver = new AtomicBoolean();
    Durations delays = new Durations();
    Thread heart = factory.newThread(() -> beat(isOver, delays));
    heart.start();
    long start = System.nanoTime();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      factory.newThread(() -> read(number, read, times, ends)).start();
    }
    long taken;
    try {
      ends.await();
    } finally {
      taken = System.nanoTime() - start;
      isOver.set(true);
      heart.join();
    }
    print(way, times, taken, delays);
  }

  /** Reads with the threads of a pool, each the work of one virtual thread after another. */
  private void measureOn(String way, ExecutorService pool, LargeDatabase.Read read)
      throws InterruptedException, ExecutionException {
    long[] times = new long[threads * reads];
    Ends ends = new Ends(threads);
    long start = System.nanoTime();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      pool.execute(() -> read(number, read, times, ends));
    }
    ends.await();
    print(way, times, System.nanoTime() - start, new Durations());
  }

  private static void beat(AtomicBoolean isOver, Durations delays) {
    while (!isOver.get()) {
      long before = System.nanoTime();
      try {
        TimeUnit.MILLISECONDS.sleep(1);
      } catch (InterruptedException e) {
        return;
      }
      delays.add(System.nanoTime() - before - TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static void print(String way, long[] nanos, long taken, Durations delays) {
    Durations times = new Durations();
    times.addAll(nanos);
    System.out.printf(
        "%-40s %8.0f reads/s, a read: p50 %8.1f us, p99.9 %9.1f us; another thread waited %.1f ms at most%n",
        way,
        times.count() * 1e9 / taken,
        times.micros(0.5),
        times.micros(0.999),
        delays.micros(1) / 1e3);
  }
}
