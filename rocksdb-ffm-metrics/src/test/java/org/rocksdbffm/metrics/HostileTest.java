/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Env;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.TtlDB;
import org.rocksdbffm.ColumnFamily;
import org.rocksdbffm.DatabaseOptions;
import org.rocksdbffm.FamilyOptions;
import org.rocksdbffm.RocksDb;
import org.rocksdbffm.RocksDbException;
import org.rocksdbffm.reports.StatisticsLevel;

/**
 * Tests metrics of databases of all kinds, with unexpected names, and with reads that fail or whose database is closed
 * concurrently.
 */
class HostileTest {
  @TempDir Path folder;

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private static List<String> names() {
    String red = "\u001b[31mred";
    return List.of("it's \"quoted\"", "two\nlines", "ü 家 🪨", "a=b,c{d}*?\\", "(others)", " ", red, "4k".repeat(2048));
  }

  @ParameterizedTest
  @MethodSource("names")
  void namesOfDatabasesAndFamiliesKeepTheirSigns(String name) throws Exception {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    Path path = folder.resolve("of " + name.substring(0, Math.min(20, name.length())));
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB db = RocksDB.open(options, path.toString());
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(name.getBytes()));
        RocksDbMetrics metrics = new RocksDbMetrics()) {
      db.put(family, "a".getBytes(), "b".getBytes());
      metrics.bindTo(registry);
      String escaped = "{database=\"" + escaped(path.toString()) + "\",family=\"" + escaped(name) + "\"} 1.0\n";
      assertTrue(registry.scrape().contains("rocksdb_keys_estimate" + escaped), registry.scrape());
      Promtool.check(Files.writeString(folder.resolve("scraped"), registry.scrape()), "metrics");
      try (RocksDbBeans beans = RocksDbBeans.register(server)) {
        String quoted = "database=" + ObjectName.quote(path.toString()) + ",family=" + ObjectName.quote(name);
        assertEquals(1.0, server.getAttribute(new ObjectName("org.rocksdbffm:type=Family," + quoted), "KeysEstimate"));
        assertTrue(beans != null && server.getMBeanCount() > 3);
      }
    }
    assertEquals("", registry.scrape());
    assertEquals(1, server.getMBeanCount(), "the server's own bean");
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Test
  void databasesOfAllKindsHaveMetrics() throws Exception {
    Path plain = folder.resolve("plain");
    try (RocksDb db = RocksDb.open(plain); Options options = new Options().setCreateIfMissing(true)) {
      db.put("a".getBytes(), "b".getBytes());
      db.flush();
      requireMetrics(plain + "#2", () -> RocksDb.at(plain).openReadOnly());
      requireMetrics(plain + "#2", () -> RocksDb.at(plain).openFollower());
      requireMetrics(folder.resolve("tx") + "", () -> RocksDb.at(folder.resolve("tx")).openTransactional());
      requireMetrics(folder.resolve("optimistic") + "", () ->
          RocksDb.at(folder.resolve("optimistic")).openOptimistic());
      requireMetrics(folder.resolve("ttl") + "", () -> opened(() -> TtlDB.open(options, folder + "/ttl", 9, false)));
      try (Env memory = new RocksMemEnv(Env.getDefault()); Options inMemory = new Options().setEnv(memory)) {
        inMemory.setCreateIfMissing(true);
        requireMetrics("/nowhere/db", () -> opened(() -> RocksDB.open(inMemory, "/nowhere/db")));
      }
    }
  }

  private interface Opens {
    RocksDB open() throws org.rocksdb.RocksDBException;
  }

  private static RocksDB opened(Opens opens) {
    try {
      return opens.open();
    } catch (org.rocksdb.RocksDBException e) {
      throw new AssertionError(e);
    }
  }

  /** Requires the metrics of a database without statistics: only the engine's properties. */
  private void requireMetrics(String name, Supplier<AutoCloseable> opened) throws Exception {
    try (AutoCloseable db = opened.get(); RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(registry);
      String scraped = registry.scrape();
      String tags = "{database=\"" + name + "\",family=\"default\"}";
      assertTrue(scraped.contains("rocksdb_keys_estimate" + tags), db + ": " + scraped);
      assertTrue(scraped.contains("rocksdb_background_failures_total{database=\"" + name + "\"} 0.0"), scraped);
      assertTrue(!scraped.contains("rocksdb_keys_written") && !scraped.contains("NaN"), scraped);
    }
  }

  @Test
  void failuresInTheBackgroundAreSeenByScrapes() throws Exception {
    Path path = folder.resolve("db");
    DatabaseOptions options = DatabaseOptions.defaults().option("wal_dir", folder.resolve("wal").toString());
    try (RocksDb db = RocksDb.at(path).options(options.statistics(StatisticsLevel.TICKERS)).open();
        RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(registry);
      db.put("a".getBytes(), "b".getBytes());
      Files.move(path, folder.resolve("moved"));
      assertThrows(RocksDbException.class, db::flush);
      String failures = "rocksdb_background_failures_total{database=\"" + path + "\"} ";
      Wait.until("the failure", () ->
          registry.scrape().contains(failures) && !registry.scrape().contains(failures + "0.0"));
      assertTrue(!registry.scrape().contains("rocksdb_errors_background_total{database=\"" + path + "\"} 0.0"));
      Files.move(folder.resolve("moved"), path);
    }
  }

  @Test
  void aRegistryThatIsClosedInTheMiddleEndsNothingElse() throws Exception {
    MeterRegistry other = new SimpleMeterRegistry();
    try (RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(other);
      metrics.bindTo(registry);
      try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
        Wait.until("metrics", () -> registry.scrape().contains(db.toString().isEmpty() ? "" : "/db") && has(other));
        other.close();
      }
      Wait.until("their end", () -> !registry.scrape().contains("/db") && !has(other));
      try (RocksDb db = RocksDb.open(folder.resolve("later"))) {
        db.put("a".getBytes(), "b".getBytes());
        Wait.until("more metrics", () -> registry.scrape().contains("/later"));
      }
    }
  }

  private static boolean has(MeterRegistry registry) {
    return registry.getMeters().stream().map(Meter::getId).anyMatch(id -> id.getTag("database") != null);
  }

  @Test
  void aSinkThatFailsIsAskedOnceForEachSeries() throws Exception {
    AtomicInteger added = new AtomicInteger();
    AtomicInteger removed = new AtomicInteger();
    Sink failing = new Sink() {
      @Override
      public void add(Series series) {
        if (series.owner().containsKey("database")) {
          added.incrementAndGet();
          throw new IllegalArgumentException("a meter of that name has other tags");
        }
      }

      @Override
      public void remove(Series series) {
        removed.incrementAndGet();
        throw new IllegalArgumentException("no such meter");
      }
    };
    Watcher watcher;
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      watcher = new Watcher(failing);
      db.put("a".getBytes(), "b".getBytes());
      int all = added.get();
      assertTrue(all > 30, "added: " + all);
      watcher.look();
      assertEquals(all, added.get());
    }
    watcher.look();
    watcher.close();
    assertTrue(removed.get() > 2, "those of the process, each in spite of the others: " + removed);
  }

  @Test
  void aFolderThatIsOpenAgainIsNotRemovedAndAddedDuringOneScrape() throws Exception {
    List<Series> added = new CopyOnWriteArrayList<>();
    Sink sink = new Sink() {
      @Override
      public void add(Series series) {
        added.add(series);
      }

      @Override
      public void remove(Series series) {}
    };
    RocksDb first = RocksDb.open(folder.resolve("db"));
    try (Watcher watcher = new Watcher(sink)) {
      synchronized (watcher) { // blocks the watcher's own thread
        first.close();
        List<Series> ended = ofDatabases(added);
        Wait.until("what is unknown", () -> ended.stream().anyMatch(each -> Double.isNaN(each.value())));
        assertTrue(
            ended.stream()
                .noneMatch(each -> each.metric().kind() == Metric.Kind.COUNTER && Double.isNaN(each.value())));
        try (RocksDb again = RocksDb.open(folder.resolve("db"))) {
          again.put("a".getBytes(), "b".getBytes());
          added.clear();
          watcher.look();
          assertTrue(ofDatabases(added).isEmpty(), "added where others were removed: " + added);
          watcher.look();
          assertTrue(ofDatabases(added).size() > 30, "added: " + added);
        }
      }
    }
  }

  private static List<Series> ofDatabases(List<Series> series) {
    return series.stream().filter(each -> each.owner().containsKey("database")).toList();
  }

  @Test
  void bindersOfOneRegistryShareItsMetersToTheLast() {
    try (RocksDb db = RocksDb.open(folder.resolve("db"))) {
      RocksDbMetrics one = new RocksDbMetrics();
      RocksDbMetrics other = new RocksDbMetrics();
      one.bindTo(registry);
      other.bindTo(registry);
      other.bindTo(registry);
      db.put("a".getBytes(), "b".getBytes());
      int meters = registry.getMeters().size();
      assertTrue(meters > 30, "meters: " + meters);
      one.close();
      one.close();
      assertEquals(meters, registry.getMeters().size());
      assertTrue(registry.scrape().contains("rocksdb_keys_estimate{"), "the other's database");
      other.close();
      assertEquals(List.of(), registry.getMeters());
    }
  }

  @Test
  void aDroppedFamilyLeavesNoMetricThatIsNoNumber() throws Exception {
    try (RocksDb db = RocksDb.open(folder.resolve("db")); RocksDbMetrics metrics = new RocksDbMetrics()) {
      ColumnFamily family = db.createFamily("family", FamilyOptions.defaults());
      metrics.bindTo(registry);
      assertTrue(registry.scrape().contains("family=\"family\""));
      db.dropFamily(family);
      family.close();
      Wait.until("its end", () -> {
        List<String> counters = registry.scrape().lines().filter(each -> each.matches("\\w+_total.* NaN")).toList();
        assertEquals(List.of(), counters);
        return !registry.scrape().contains("family=\"family\"");
      });
    }
  }

  @Test
  void beansMayBeRegisteredSeveralTimes() throws Exception {
    ObjectName all = new ObjectName("org.rocksdbffm:type=Process,*");
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (RocksDbBeans one = RocksDbBeans.register();
        RocksDbBeans other = RocksDbBeans.register();
        RocksDbBeans third = RocksDbBeans.register()) {
      assertTrue(one != other && other != third);
      assertEquals(3, server.queryNames(all, null).size());
    }
    assertEquals(0, server.queryNames(all, null).size());
  }

  /** With {@code -Drocksdbffm.databases=1000}, opens more databases. */
  @Test
  void manyDatabasesAreOpenedAndClosedWhileSeveralThreadsScrape() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (RocksDbMetrics metrics = new RocksDbMetrics()) {
      metrics.bindTo(registry);
      long before = registry.getMeters().size();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        threads.add(Thread.ofPlatform().start(() -> {
          try {
            while (!ends.get()) {
              String scraped = registry.scrape();
              assertTrue(scraped.lines().noneMatch(each -> each.matches("rocksdb_objects.* NaN")), scraped);
            }
          } catch (Throwable e) {
            failure.set(e);
          }
        }));
      }
      for (int i = 0; i < Integer.getInteger("rocksdbffm.databases", 20); i++) {
        List<RocksDb> open = new ArrayList<>();
        for (int j = 0; j < 3; j++) {
          open.add(RocksDb.open(folder.resolve("db " + (i + j) % 5)));
        }
        open.getFirst().put("a".getBytes(), "b".getBytes());
        open.forEach(RocksDb::close);
      }
      Wait.until("their end", () -> !has(registry));
      ends.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(null, failure.get());
      assertTrue(registry.getMeters().size() < before + 100, "meters: " + registry.getMeters().size());
    }
  }
}
