/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

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
 * Figures of all databases that are open in the process, for Micrometer: of those of {@link org.rocksdbffm.RocksDb} and
 * of the drop-in, whoever opens them, and those opened later.
 *
 * <pre>{@code
 * new RocksDbMetrics().bindTo(registry);
 * }</pre>
 *
 * <p>The meters of a database appear within a second or two of its opening, and end as soon after its close. A registry
 * that reads them waits for no write, and no close waits for it. Thread-safe.
 */
public final class RocksDbMetrics implements MeterBinder, AutoCloseable {
  // By registry: it has each meter once, for all that are bound to it. Guarded by itself.
  private static final Map<MeterRegistry, Bound> BOUND = new HashMap<>();

  private record Bound(Watcher watcher, Set<RocksDbMetrics> binders) {}

  /** Figures that are not bound yet. */
  public RocksDbMetrics() {}

  /**
   * Adds meters to a registry, until this is closed. A binder may be bound to several, and several to one.
   *
   * @param registry that the meters are added to
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    synchronized (BOUND) {
      BOUND.keySet().removeIf(MeterRegistry::isClosed);
      BOUND
          .computeIfAbsent(
              requireNonNull(registry, "registry"), its -> new Bound(new Watcher(new Registry(its)), new HashSet<>()))
          .binders
          .add(this);
    }
  }

  /** Removes the meters from all registries that no other is bound to. Idempotent. */
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
    private final Map<Series, Meter> meters = new HashMap<>(); // which refers to series, as counters do not

    Registry(MeterRegistry registry) {
      this.registry = registry;
    }

    @Override
    public void add(Series series) {
      Figure figure = series.figure();
      List<Tag> tags = new ArrayList<>();
      series.tags().forEach((key, value) -> tags.add(Tag.of(key, value)));
      Meter meter =
          figure.kind() == Figure.Kind.COUNTER
              ? FunctionCounter.builder(figure.dottedName(), series, Series::value)
                  .description(figure.description())
                  .baseUnit(figure.baseUnit())
                  .tags(tags)
                  .register(registry)
              : Gauge.builder(figure.dottedName(), series, Series::value)
                  .description(figure.description())
                  .baseUnit(figure.baseUnit())
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
