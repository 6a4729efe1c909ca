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

/** A reporter of Flink's metrics, for those that the state backend reads from RocksDB. */
public final class NativeFigures implements MetricReporter {
  private static final Map<Metric, String> GAUGES = new ConcurrentHashMap<>();

  /** Flink finds it as a service. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new NativeFigures();
    }
  }

  /** The settings of all that the backend can read. */
  static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("metrics.reporter.native.factory.class", Factory.class.getName());
    for (Field field : RocksDBNativeMetricOptions.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
        try {
          settings.put(((ConfigOption<?>) field.get(null)).key(), "true");
        } catch (IllegalAccessException e) {
          throw new AssertionError(e); // they are public
        }
      }
    }
    return settings;
  }

  /** Reads them now. Returns their names, which begin with the name of the state; a figure of all has none. */
  static Set<String> read() {
    GAUGES.keySet().forEach(gauge -> ((View) gauge).update());
    return new TreeSet<>(GAUGES.values());
  }

  /** How much there is of a figure in all that is open. */
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
