/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.internal.watch.OpenDatabases;
import org.rocksdbffm.reports.StatisticsLevel;

/** Prints the processor time of a scrape, and the processor time of reads and writes, with and without scrapes. */
class CostTest {
  private static final int FAMILIES = 4;
  private static final int OPERATIONS = 2_000;
  private static final int TURNS = 7;

  @TempDir Path folder;

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(8).putLong(i * 0x9E3779B97F4A7C15L).array();
  }

  /** Returns the median time of the work, in microseconds. */
  private static double median(int rounds, Runnable work) {
    double[] times = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      long began = processorTime();
      work.run();
      times[i] = (processorTime() - began) / 1000.0;
    }
    Arrays.sort(times);
    return times[rounds / 2];
  }

  private RocksDb open() {
    DatabaseOptions counting = DatabaseOptions.defaults().statistics(StatisticsLevel.TIMERS);
    RocksDb db = RocksDb.at(folder.resolve("db")).options(counting).open();
    for (int i = 1; i < FAMILIES; i++) {
      db.createFamily("family " + i, FamilyOptions.defaults());
    }
    for (int file = 0; file < 10; file++) {
      for (int i = 0; i < 2000; i++) {
        db.put(key(file * 2000 + i), new byte[100]);
      }
      db.flush();
    }
    return db;
  }

  @Test
  void threeHundredMetricsAreReadWithinAMillisecondOfAProcessor() {
    try (RocksDb db = open(); RocksDbMetrics metrics = new RocksDbMetrics()) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      metrics.bindTo(registry);
      db.get(key(0));
      long count = registry.scrape().lines().filter(line -> line.contains("database=")).count();
      Reading reading = new Reading(OpenDatabases.all().iterator().next(), 20);
      double read = median(1000, () -> {
        reading.expire();
        reading.value(Reading.DATABASE, 0);
      });
      double written = median(1000, registry::scrape);
      System.out.printf("%d metrics: %.0f µs to read, %.0f µs of Micrometer to write%n", count, read, written);
      assertTrue(count >= 300, "metrics: " + count);
      // The engine sums histograms over all processors, and assumes at least 8 processors.
      assertTrue(read < 1000 * Math.max(1, Runtime.getRuntime().availableProcessors() / 8), "microseconds: " + read);
    }
  }

  /** With {@code -Drocksdbffm.seconds=10}, each measurement lasts long enough to include several scrapes. */
  @Test
  void readsAndWritesTakeAsLongWithAScrapeASecondAsWithout() throws Exception {
    double seconds = Double.parseDouble(System.getProperty("rocksdbffm.seconds", "0.1"));
    AtomicBoolean scrapes = new AtomicBoolean();
    double[][] ratios = new double[2][TURNS];
    try (RocksDb db = open(); RocksDbMetrics metrics = new RocksDbMetrics()) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      metrics.bindTo(registry);
      Thread scraper = Thread.ofPlatform().start(() -> {
        for (; !Thread.interrupted(); LockSupport.parkNanos(1_000_000_000)) {
          if (scrapes.get()) {
            registry.scrape();
          }
        }
      });
      nanosOfPutAndGet(db, seconds);
      for (int turn = 0; turn < TURNS; turn++) {
        double[] without = nanosOfPutAndGet(db, seconds);
        scrapes.set(true);
        double[] with = nanosOfPutAndGet(db, seconds);
        scrapes.set(false);
        ratios[0][turn] = with[0] / without[0];
        ratios[1][turn] = with[1] / without[1];
      }
      scraper.interrupt();
      scraper.join();
    }
    for (double[] each : ratios) {
      Arrays.sort(each);
      System.out.printf(
          "%s with a scrape a second: %.3f of the time (%.3f to %.3f in %d turns)%n",
          each == ratios[0] ? "puts" : "gets", each[TURNS / 2], each[0], each[TURNS - 1], TURNS);
      assertTrue(each[TURNS / 2] < 1.5, "ratio: " + each[TURNS / 2]);
    }
  }

  private static double[] nanosOfPutAndGet(RocksDb db, double seconds) {
    long[] nanos = new long[2];
    long rounds = 0;
    for (long end = System.nanoTime() + (long) (seconds * 1e9); System.nanoTime() < end; rounds++) {
      long began = processorTime();
      for (int i = 0; i < OPERATIONS; i++) {
        db.put(key(i), new byte[100]);
      }
      long put = processorTime();
      for (int i = 0; i < OPERATIONS; i++) {
        db.get(key(i * 7));
      }
      nanos[0] += put - began;
      nanos[1] += processorTime() - put;
    }
    return new double[] {nanos[0] / (double) rounds, nanos[1] / (double) rounds};
  }
}
