/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Exports the metrics of all open databases in the process to OpenTelemetry: databases of
 * {@link org.rocksdbffm.RocksDb} and of the drop-in, including databases opened later. Attributes are named
 * {@code rocksdb.database}, {@code rocksdb.family} and so on. Thread-safe.
 *
 * <pre>{@code
 * RocksDbTelemetry telemetry = new RocksDbTelemetry(openTelemetry);
 * }</pre>
 *
 * <p>Create one object per SDK: the SDK warns if two objects record the same metrics.
 */
public final class RocksDbTelemetry implements AutoCloseable {
  private final List<AutoCloseable> instruments = new ArrayList<>();
  private final Watcher watcher;

  /**
   * Creates an instrument for each metric, until this is closed.
   *
   * @param openTelemetry provides the meter {@code org.rocksdbffm}
   */
  public RocksDbTelemetry(OpenTelemetry openTelemetry) {
    Meter meter = requireNonNull(openTelemetry, "openTelemetry").getMeter("org.rocksdbffm");
    Observed observed = new Observed();
    watcher = new Watcher(observed);
    Metric.ALL.stream()
        .collect(groupingBy(Metric::fullName, LinkedHashMap::new, toList()))
        .forEach((name, metrics) -> instruments.add(instrument(meter, metrics.getFirst(), observed)));
  }

  private static AutoCloseable instrument(Meter meter, Metric metric, Observed observed) {
    String name = metric.fullName();
    String unit = metric.unit();
    String description = metric.description();
    Consumer<ObservableDoubleMeasurement> callback = measurement -> observed.measure(name, measurement);
    return switch (metric.kind()) {
      case COUNTER ->
          meter.counterBuilder(name).ofDoubles().setUnit(unit).setDescription(description).buildWithCallback(callback);
      case SUM ->
          meter.upDownCounterBuilder(name).ofDoubles().setUnit(unit).setDescription(description)
              .buildWithCallback(callback);
      case GAUGE -> meter.gaugeBuilder(name).setUnit(unit).setDescription(description).buildWithCallback(callback);
    };
  }

  /** Removes the instruments. Idempotent. */
  @Override
  public void close() {
    watcher.close();
    for (AutoCloseable instrument : instruments) {
      try {
        instrument.close();
      } catch (Exception e) {
        throw new IllegalStateException("an instrument cannot be removed", e);
      }
    }
  }

  /** The current series by the name of their metric. */
  private static final class Observed implements Sink {
    private final Map<String, Map<Series, Attributes>> byName = new ConcurrentHashMap<>();

    @Override
    public void add(Series series) {
      AttributesBuilder attributes = Attributes.builder();
      series.tags().forEach((key, value) -> attributes.put("rocksdb." + key, value));
      byName
          .computeIfAbsent(series.metric().fullName(), ignored -> new ConcurrentHashMap<>())
          .put(series, attributes.build());
    }

    @Override
    public void remove(Series series) {
      byName.get(series.metric().fullName()).remove(series);
    }

    void measure(String name, ObservableDoubleMeasurement measurement) {
      byName.getOrDefault(name, Map.of()).forEach((series, attributes) -> {
        double value = series.value();
        if (!Double.isNaN(value)) {
          measurement.record(value, attributes);
        }
      });
    }
  }
}
