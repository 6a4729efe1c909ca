/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.jmh.programs.archive;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.AsyncReader;
import org.rocksdbffm.BlockCache;
import org.rocksdbffm.ByteSize;
import org.rocksdbffm.CompactOptions;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.KeyRange;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.TableOptions;
import org.rocksdbffm.jmh.command.CommandLine;
import org.rocksdbffm.jmh.work.TemporaryFolder;

/** The program behind {@code ./bench virtual}: many virtual threads read data that is larger than the cache. */
public final class VirtualBench {
  private static final String USAGE =
      """
      usage: ./bench virtual [--mib N] [--threads N] [--reads N] [--disk N] [--runs N]
      Virtual threads read rows of 1 KiB, half of them from a hot twentieth that is cached, from a database ten times
      as large as its cache, without the system's cache. Each engine call on the virtual thread itself, next to an
      AsyncReader with some platform threads for the disk, and to platform threads alone. A further virtual thread
      wakes up every millisecond: its delay says how long others wait for a carrier.
      """;

  private static final int MOST = 1_000_000;
  private static final int ROWS_OF_A_MIB = 1024;
  private static final int HOT = 20;

  private final RocksDb db;
  private final long rows;
  private final int threads;
  private final int reads; // of each thread

  private VirtualBench(RocksDb db, long rows, int threads, int reads) {
    this.db = db;
    this.rows = rows;
    this.threads = threads;
    this.reads = reads;
  }

  /** Reads in three ways, alternately. */
  public static void main(String[] words) throws Exception {
    CommandLine.run(USAGE, VirtualBench::start, words);
  }

  private static int start(String... arguments) throws Exception {
    CommandLine line =
        CommandLine.parse(Set.of(), Set.of("--mib", "--threads", "--reads", "--disk", "--runs"), arguments);
    int mib = line.number("--mib", 1024, MOST);
    int disk = line.number("--disk", 32, MOST);
    DatabaseOptions direct = DatabaseOptions.defaults().useDirectReads(true);
    try (TemporaryFolder folder = TemporaryFolder.create();
        BlockCache cache = BlockCache.lru(ByteSize.mib(Math.max(1, mib / 10)));
        RocksDb db =
            RocksDb.at(folder.path().resolve("db"))
                .options(direct)
                .defaults(FamilyOptions.defaults().table(TableOptions.defaults().blockCache(cache)))
                .open();
        ExecutorService pool = Executors.newFixedThreadPool(disk)) {
      long rows = (long) mib * ROWS_OF_A_MIB;
      fill(db, rows);
      VirtualBench bench =
          new VirtualBench(db, rows, line.number("--threads", 10_000, MOST), line.number("--reads", 20, MOST));
      AsyncReader reader = db.async(pool, MOST);
      for (int run = 0; run < line.number("--runs", 3, MOST); run++) {
        bench.measure("db.get on virtual threads", Thread.ofVirtual().factory(), db::get);
        bench.measure("AsyncReader.get(key).join()", Thread.ofVirtual().factory(), key -> reader.get(key).join());
        bench.measureOn("db.get on " + disk + " platform threads", pool);
      }
    }
    return 0;
  }

  private static void fill(RocksDb db, long rows) {
    Random random = new Random(1);
    byte[] value = new byte[1000];
    for (long row = 0; row < rows; row++) {
      random.nextBytes(value);
      db.put(key(row), value);
    }
    db.compact(KeyRange.all(), CompactOptions.defaults());
  }

  private static byte[] key(long row) {
    return ByteBuffer.allocate(Long.BYTES).putLong(row).array();
  }

  private interface Read {
    byte[] get(byte[] key);
  }

  /** Reads rows, and stores the nanoseconds of each read. */
  private void read(int thread, Read read, long[] times) {
    Random random = new Random(thread);
    for (int i = 0; i < reads; i++) {
      long row = random.nextBoolean() ? random.nextLong(rows / HOT) : random.nextLong(rows);
      long before = System.nanoTime();
      if (read.get(key(row)) == null) {
        throw new AssertionError("row " + row + " is missing");
      }
      times[thread * reads + i] = System.nanoTime() - before;
    }
  }

  private void measure(String way, ThreadFactory factory, Read read) throws InterruptedException {
    long[] times = new long[threads * reads];
    CountDownLatch left = new CountDownLatch(threads);
    AtomicBoolean isOver = new AtomicBoolean();
    List<Long> delays = new ArrayList<>();
    Thread heart = factory.newThread(() -> beat(isOver, delays));
    heart.start();
    long start = System.nanoTime();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      factory.newThread(() -> {
        read(number, read, times);
        left.countDown();
      }).start();
    }
    left.await();
    long taken = System.nanoTime() - start;
    isOver.set(true);
    heart.join();
    print(way, times, taken, delays);
  }

  /** Reads with the threads of a pool, each the work of one virtual thread after another. */
  private void measureOn(String way, ExecutorService pool) throws InterruptedException {
    long[] times = new long[threads * reads];
    CountDownLatch left = new CountDownLatch(threads);
    long start = System.nanoTime();
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      pool.execute(() -> {
        read(number, db::get, times);
        left.countDown();
      });
    }
    left.await();
    print(way, times, System.nanoTime() - start, List.of());
  }

  private static void beat(AtomicBoolean isOver, List<Long> delays) {
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

  private static void print(String way, long[] times, long taken, List<Long> delays) {
    Arrays.sort(times);
    System.out.printf(
        "%-34s %8.0f reads/s, a read: p50 %9.1f us, p99.9 %9.1f us; another thread waited %.1f ms at most%n",
        way,
        times.length * 1e9 / taken,
        at(times, 0.5) / 1e3,
        at(times, 0.999) / 1e3,
        delays.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6);
  }

  private static long at(long[] sorted, double part) {
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
