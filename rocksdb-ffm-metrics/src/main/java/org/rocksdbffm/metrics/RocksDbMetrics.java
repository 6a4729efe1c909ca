/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Exports the metrics of all open databases in the process to Micrometer: databases of {@link org.rocksdbffm.RocksDb}
 * and of the drop-in, including databases opened later.
 *
 * <pre>{@code
 * new RocksDbMetrics().bindTo(registry);
 * }</pre>
 *
 * <p>The meters of a database appear within two seconds of its opening, and disappear within two seconds of its close.
 * Reading a meter never waits for a write, and no close waits for a read of a meter. Thread-safe.
 */
public final class RocksDbMetrics implements MeterBinder, AutoCloseable {
  // The bindings by registry: a registry has each meter once, even if several binders are bound to it. Guarded by the
  // map's monitor.
  private static final Map<MeterRegistry, Bound> BOUND = new HashMap<>();

  private record Bound(Watcher watcher, Set<RocksDbMetrics> binders) {}

  /** Creates a binder that is not bound to a registry yet. */
  public RocksDbMetrics() {}

  /**
   * Adds meters to a registry, until this is closed. A binder may be bound to several registries, and several binders
   * to one registry.
   *
   * @param registry the registry
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    synchronized (BOUND) {
      BOUND.keySet().removeIf(MeterRegistry::isClosed);
      BOUND
          .computeIfAbsent(
              requireNonNull(registry, "registry"),
              known -> new Bound(new Watcher(new Registry(known)), new HashSet<>()))
          .binders
          .add(this);
    }
  }

  /** Removes the meters from all registries to which no other binder is bound. Idempotent. */
  @Override
  public void close() {
    synchronized (BOUND) {
      BOUND.values().removeIf(bound -> {
        boolean isLast = bound.binders.remove(this) && bound.binders.isEmpty();
        if (isLast) {
          bound.watcher.close();
        }
        return isLast;
      });
    }
  }

  private static final class Registry implements Sink {
    private final MeterRegistry registry;
    private final Map<Series, Meter> meters = new HashMap<>(); // keeps the series reachable, which counters do not

    Registry(MeterRegistry registry) {
      this.registry = registry;
    }

    @Override
    public void add(Series series) {
      Metric metric = series.metric();
      List<Tag> tags = new ArrayList<>();
      series.tags().forEach((key, value) -> tags.add(Tag.of(key, value)));
      Meter meter =
          metric.kind() == Metric.Kind.COUNTER
              ? FunctionCounter.builder(metric.dottedName(), series, Series::value)
                  .description(metric.description())
                  .baseUnit(metric.baseUnit())
                  .tags(tags)
                  .register(registry)
              : Gauge.builder(metric.dottedName(), series, Series::value)
                  .description(metric.description())
                  .baseUnit(metric.baseUnit())
                  .tags(tags)
                  .register(registry);
      meters.put(series, meter);
    }

    @Override
    public void remove(Series series) {
      registry.remove(meters.remove(series));
    }

    @Override
    public boolean isClosed() {
      return registry.isClosed();
    }
  }
}
