/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of Kafka Streams that come from the engine's statistics and properties. */
class MetricsTest {
  private static final int RECORDS = 3000;
  private static final String VALUE = "a value of thirty-two characters";

  @TempDir Path folder;

  @Test
  void statisticsAndPropertiesAreToldAsMetrics() {
    long start = System.nanoTime();
    Map<String, ?> settings =
        Map.of(
            StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "DEBUG",
            StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, TunedStores.class);
    try (OneStore one = KeyValueStoreTest.Kind.TIMESTAMPED.open(folder, false, settings)) {
      for (int i = 0; i < RECORDS; i++) {
        one.input.pipeInput("key-%04d".formatted(i), VALUE);
      }
      KeyValueStore<String, String> store = one.driver.getKeyValueStore(OneStore.NAME);
      try (KeyValueIterator<String, String> all = store.all()) {
        all.forEachRemaining(pair -> assertEquals(VALUE, pair.value));
      }
      one.recordStatistics();
      Map<String, Double> metrics = metrics(one);
      assertStatistics(metrics, (System.nanoTime() - start) / 1000);
      assertProperties(metrics);
    }
  }

  @Test
  void aPropertyOfTheJvmAloneExportsFiguresOfAStore() throws Exception {
    Map<String, ?> settings = Map.of(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "DEBUG"); // with statistics
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName ofStore =
        new ObjectName("org.rocksdbffm:type=Family,database=\"" + folder + "/*\",family=\"keyValueWithTimestamp\"");
    try (OneStore one = KeyValueStoreTest.Kind.TIMESTAMPED.open(folder, false, settings)) {
      for (int i = 0; i < RECORDS; i++) {
        one.input.pipeInput("key-%04d".formatted(i), VALUE);
      }
      waitUntil(() -> server.queryNames(ofStore, null).size() == 1);
      ObjectName family = server.queryNames(ofStore, null).iterator().next();
      String database = family.getKeyProperty("database");
      assertTrue(database.endsWith("/rocksdb/" + OneStore.NAME + "\""), database);
      waitUntil(() -> valueOf(server, family, "KeysEstimate") == RECORDS); // readings are cached briefly
      waitUntil(() -> valueOf(server, family, "MemtableEntriesActive") == RECORDS);
      ObjectName counts = new ObjectName("org.rocksdbffm:type=Database,database=" + database);
      waitUntil(() -> !Double.isNaN(valueOf(server, counts, "KeysWritten")));
      double written = valueOf(server, counts, "KeysWritten"); // includes Kafka's deletes of older formats
      assertTrue(written >= RECORDS && written <= 4 * RECORDS, "written: " + written);
      ObjectName families = new ObjectName("org.rocksdbffm:type=Family,database=" + database + ",*");
      waitUntil(
          () ->
              metrics(one).get("cur-size-all-mem-tables")
                  == server.queryNames(families, null).stream()
                      .mapToDouble(name -> valueOf(server, name, "MemtableUnflushedSize"))
                      .sum()); // the readings of each family are cached, since different times
      waitUntil(() -> valueOf(server, counts, "BackgroundFailures") == 0);
    }
    waitUntil(() -> server.queryNames(ofStore, null).isEmpty());
  }

  /** Returns NaN if the bean, which gets its attributes one by one, does not have this one yet. */
  private static double valueOf(MBeanServer server, ObjectName bean, String figure) {
    try {
      return (double) server.getAttribute(bean, figure);
    } catch (AttributeNotFoundException | InstanceNotFoundException notYet) {
      return Double.NaN;
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  private static void waitUntil(BooleanSupplier condition) throws InterruptedException {
    for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1); !condition.getAsBoolean(); Thread.sleep(10)) {
      assertTrue(System.nanoTime() < end, "not within a minute");
    }
  }

  private static void assertStatistics(Map<String, Double> metrics, long micros) {
    double written = metrics.get("bytes-written-total");
    double values = (double) RECORDS * VALUE.length();
    assertTrue(written > values && written < 20 * values, "written: " + written);
    assertTrue(metrics.get("bytes-read-total") >= 0);
    assertTrue(metrics.get("memtable-bytes-flushed-total") > 10_000, metrics.toString());
    assertTrue(metrics.get("memtable-flush-time-max") >= metrics.get("memtable-flush-time-min"));
    assertTrue(metrics.get("memtable-flush-time-max") > 0, metrics.toString());
    // A busy machine may stall writes, but the engine cannot count more microseconds than have passed.
    double stalled = metrics.get("write-stall-duration-total");
    assertTrue(stalled >= 0 && stalled <= micros, "stalled: " + stalled + " of " + micros);
    for (String ratio :
        List.of(
            "memtable-hit-ratio",
            "block-cache-data-hit-ratio",
            "block-cache-index-hit-ratio",
            "block-cache-filter-hit-ratio")) {
      assertTrue(metrics.get(ratio) >= 0 && metrics.get(ratio) <= 1, ratio + ": " + metrics.get(ratio));
    }
    assertTrue(metrics.get("number-file-errors-total") >= 0);
  }

  private static void assertProperties(Map<String, Double> metrics) {
    // Kafka's own keys are counted, too.
    assertEquals(RECORDS, metrics.get("estimate-num-keys"), 50);
    assertTrue(metrics.get("total-sst-files-size") > 1000);
    assertTrue(metrics.get("live-sst-files-size") > 1000);
    assertTrue(metrics.get("cur-size-all-mem-tables") > 0);
    assertTrue(metrics.get("size-all-mem-tables") >= metrics.get("cur-size-all-mem-tables"));
    assertTrue(metrics.get("num-live-versions") >= 1);
    // Several column families share one cache.
    assertEquals(TunedStores.CACHE.getUsage(), metrics.get("block-cache-usage"), 1 << 20);
    assertEquals(8 << 20, metrics.get("block-cache-capacity"));
    assertTrue(metrics.get("block-cache-pinned-usage") <= metrics.get("block-cache-usage"));
    assertEquals(0, metrics.get("background-errors"));
    for (String count :
        List.of(
            "num-entries-active-mem-table",
            "num-deletes-active-mem-table",
            "num-entries-imm-mem-tables",
            "num-deletes-imm-mem-tables",
            "num-immutable-mem-table",
            "cur-size-active-mem-table",
            "mem-table-flush-pending",
            "num-running-flushes",
            "compaction-pending",
            "num-running-compactions",
            "estimate-pending-compaction-bytes",
            "estimate-table-readers-mem")) {
      assertTrue(metrics.get(count) >= 0, count + ": " + metrics.get(count));
    }
  }

  /** Returns the store's metrics by name. */
  private static Map<String, Double> metrics(OneStore one) {
    Map<String, Double> values = new TreeMap<>();
    one.driver
        .metrics()
        .forEach(
            (name, metric) -> {
              if (name.group().equals("stream-state-metrics") && metric.metricValue() instanceof Number value) {
                values.put(name.name(), value.doubleValue());
              }
            });
    return values;
  }
}
