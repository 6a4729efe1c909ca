/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.metrics;

import io.micrometer.core.instrument.Metrics;
import io.opentelemetry.api.GlobalOpenTelemetry;
import org.rocksdbffm.internal.watch.Monitor;

/**
 * Starts the exporters that the system property {@code org.rocksdbffm.reports} names, when the first database is
 * opened: {@code jmx}, {@code micrometer} (to the global registry) and {@code opentelemetry} (to {@code
 * GlobalOpenTelemetry}, which its agent sets), separated by commas. The library loads this class as a service; programs
 * need not call it.
 */
public final class StartMetrics implements Monitor {
  /** Creates the service; called by {@code ServiceLoader}. */
  public StartMetrics() {}

  @Override
  public void start(String names) {
    for (String name : names.split(",")) {
      switch (name.strip()) {
        case "jmx" -> RocksDbBeans.register();
        case "micrometer" -> Micrometer.start();
        case "opentelemetry" -> Telemetry.start();
        default -> throw new IllegalArgumentException(name + " is none of jmx, micrometer and opentelemetry");
      }
    }
  }

  /** A separate class, because Micrometer may be missing. */
  private static final class Micrometer {
    static void start() {
      new RocksDbMetrics().bindTo(Metrics.globalRegistry);
    }
  }

  private static final class Telemetry {
    /**
     * Checks {@code isSet} first: if no SDK is set, {@code get} would set a no-op, which the program cannot replace.
     */
    @SuppressWarnings("resource") // until the process ends
    static void start() {
      if (!GlobalOpenTelemetry.isSet()) {
        throw new IllegalStateException("set GlobalOpenTelemetry first, or add OpenTelemetry's agent");
      }
      new RocksDbTelemetry(GlobalOpenTelemetry.get());
    }
  }
}
