/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.flink.jobs;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.View;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.state.rocksdb.RocksDBNativeMetricOptions;

/** A Flink metric reporter for the metrics that the state backend reads from RocksDB. */
public final class NativeMetrics implements MetricReporter {
  private static final Map<Metric, String> GAUGES = new ConcurrentHashMap<>();

  /** The factory, which Flink loads as a service. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new NativeMetrics();
    }
  }

  /** Returns the settings that enable all metrics of the backend. */
  static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("metrics.reporter.native.factory.class", Factory.class.getName());
    for (Field field : RocksDBNativeMetricOptions.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
        try {
          settings.put(((ConfigOption<?>) field.get(null)).key(), "true");
        } catch (IllegalAccessException e) {
          throw new AssertionError(e); // the fields are public
        }
      }
    }
    return settings;
  }

  /** Reads all metrics, and returns their names, which begin with the state's name, except for database metrics. */
  static Set<String> read() {
    GAUGES.keySet().forEach(gauge -> ((View) gauge).update());
    return new TreeSet<>(GAUGES.values());
  }

  /** Returns the sum of a metric over all open databases. */
  static long sum(String name) {
    return GAUGES.entrySet().stream()
        .filter(gauge -> gauge.getValue().endsWith(name))
        .mapToLong(gauge -> ((Number) ((Gauge<?>) gauge.getKey()).getValue()).longValue())
        .sum();
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof View && metric.getClass().getName().startsWith("org.apache.flink.state.rocksdb.")) {
      String[] scope = group.getScopeComponents();
      GAUGES.put(metric, scope[scope.length - 1] + " " + name);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    GAUGES.remove(metric);
  }
}
