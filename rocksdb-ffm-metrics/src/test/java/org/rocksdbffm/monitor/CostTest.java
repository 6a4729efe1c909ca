/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

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
import org.rocksdbffm.metrics.StatisticsLevel;

/** Prints the processor time of a scrape, and that of reads and writes with scrapes and without. */
class CostTest {
  private static final int FAMILIES = 4;
  private static final int OPERATIONS = 20_000;
  private static final int TURNS = 7;

  @TempDir Path folder;

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(8).putLong(i * 0x9E3779B97F4A7C15L).array();
  }

  /** The median, in microseconds. */
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
  void threeHundredFiguresAreReadWithinThreeMillisecondsOfAProcessor() {
    try (RocksDb db = open(); RocksDbMetrics metrics = new RocksDbMetrics()) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      metrics.bindTo(registry);
      db.get(key(0));
      long figures = registry.scrape().lines().filter(line -> line.contains("database=")).count();
      Reading reading = new Reading(OpenDatabases.all().iterator().next(), 20);
      double read = median(1000, () -> {
        reading.expire();
        reading.value(Reading.DATABASE, 0);
      });
      double written = median(1000, registry::scrape);
      System.out.printf("%d figures: %.0f µs to read, %.0f µs of Micrometer to write%n", figures, read, written);
      assertTrue(figures >= 300, "figures: " + figures);
      // The engine adds up histograms over the processors, which it takes to be 8 at least.
      assertTrue(read < 3000 * Math.max(1, Runtime.getRuntime().availableProcessors() / 8), "microseconds: " + read);
    }
  }

  @Test
  void readsAndWritesTakeAsLongWithScrapesAsWithout() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicBoolean scrapes = new AtomicBoolean();
    double[][] times = new double[2][TURNS];
    try (RocksDb db = open(); RocksDbMetrics metrics = new RocksDbMetrics()) {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      metrics.bindTo(registry);
      Thread scraper = Thread.ofPlatform().start(() -> {
        while (!ends.get()) {
          LockSupport.parkNanos(100_000_000); // ten times as often as once a second
          if (scrapes.get()) {
            registry.scrape();
          }
        }
      });
      for (int turn = 0; turn < 2 * TURNS; turn++) {
        scrapes.set(turn % 2 == 1);
        long began = processorTime();
        for (int i = 0; i < OPERATIONS; i++) {
          db.put(key(i % 20_000), new byte[100]);
          db.get(key(i * 7 % 20_000));
        }
        times[turn % 2][turn / 2] = (processorTime() - began) / (double) OPERATIONS;
      }
      ends.set(true);
      scraper.join();
    }
    for (double[] each : times) {
      Arrays.sort(each);
    }
    double without = times[0][TURNS / 2];
    double with = times[1][TURNS / 2];
    System.out.printf("a put and a get: %.0f ns, with ten scrapes a second %.0f ns%n", without, with);
    assertTrue(with < without * 1.5, without + " ns, and " + with);
  }
}
