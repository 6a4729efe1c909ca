/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.clients;

import java.io.File;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.metricstore.AggLevel;
import org.apache.storm.metricstore.FilterOptions;
import org.apache.storm.metricstore.Metric;
import org.apache.storm.metricstore.MetricException;
import org.apache.storm.metricstore.MetricStore;
import org.apache.storm.metricstore.rocksdb.RocksDbStore;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** The metrics store of a cluster: inserts on the store's thread, aggregates, and filtered scans. */
final class Storm {
  private static final int METRICS = 2000;
  private static final long HOUR = 3_600_000;
  private static final String FOLDER = new File("metrics").getAbsolutePath();

  private Storm() {}

  public static void main(String[] arguments) throws Exception {
    try (MetricStore store = open()) {
      for (int number = 0; number < METRICS; number++) {
        store.insert(metric(number));
      }
      Metric last = new Metric("last", 1_700_000_000_000L / HOUR * HOUR, "topology", 1, "component", "executor", "host",
          "stream", 1, AggLevel.AGG_LEVEL_NONE);
      store.insert(last);
      await(store, last);
      scan("filled", store);
      Metric found = metric(7);
      Answers.say("value", store.populateValue(found), found.getValue(), found.getCount());
    }
    rows(); // the store's close does not close its database, so a second store cannot open it
  }

  private static void rows() throws RocksDBException {
    int count = 0;
    try (RocksDB db = RocksDB.openReadOnly(FOLDER); RocksIterator rows = db.newIterator()) {
      for (rows.seekToLast(); rows.isValid(); rows.prev()) {
        count++;
      }
    }
    Answers.say("rows", count);
  }

  private static MetricStore open() throws MetricException {
    MetricStore store = new RocksDbStore();
    store.prepare(
        Map.of(
            DaemonConfig.STORM_ROCKSDB_LOCATION, FOLDER,
            DaemonConfig.STORM_ROCKSDB_CREATE_IF_MISSING, true,
            DaemonConfig.STORM_ROCKSDB_METADATA_STRING_CACHE_CAPACITY, 4000,
            DaemonConfig.STORM_ROCKSDB_METRIC_RETENTION_HOURS, 1_000_000),
        new StormMetricsRegistry());
    return store;
  }

  /** Waits for the last metric's hourly sum, which the store's thread inserts after all others. */
  private static void await(MetricStore store, Metric last) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    Metric sum = new Metric(last);
    sum.setAggLevel(AggLevel.AGG_LEVEL_60_MIN);
    while (!store.populateValue(new Metric(sum))) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the last metric is not inserted");
      }
      Thread.onSpinWait();
    }
  }

  private static void scan(String step, MetricStore store) throws MetricException {
    for (AggLevel level : AggLevel.values()) {
      FilterOptions filter = new FilterOptions();
      filter.addAggLevel(level);
      filter.setStartTime(0L);
      filter.setEndTime(System.currentTimeMillis());
      scan(step + " " + level, store, filter);
      filter.setTopologyId("topology-1");
      filter.setMetricName("metric-4");
      scan(step + " filtered " + level, store, filter);
    }
  }

  private static void scan(String step, MetricStore store, FilterOptions filter) throws MetricException {
    Collection<String> found = new TreeSet<>(); // sorted here, because the store sorts by random numbers of the names
    store.scan(filter, metric -> found.add(metric.toString()));
    Answers answers = new Answers();
    found.forEach(answers::row);
    answers.end(step);
  }

  private static Metric metric(int number) throws MetricException {
    return new Metric("metric-" + number % 5, 1_700_000_000_000L + number * 20_000L, "topology-" + number % 3, number,
        "component-" + number % 7, "executor", "host", "stream", 6700 + number % 2, AggLevel.AGG_LEVEL_NONE);
  }
}
