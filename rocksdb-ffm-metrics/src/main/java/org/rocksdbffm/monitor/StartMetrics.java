/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.monitor;

import io.micrometer.core.instrument.Metrics;
import io.opentelemetry.api.GlobalOpenTelemetry;
import org.rocksdbffm.internal.watch.Monitor;

/**
 * Starts what the system property {@code org.rocksdbffm.metrics} names when the first database is opened, so that a
 * program need not be changed: {@code jmx}, {@code micrometer} for its global registry, {@code opentelemetry} for what
 * its agent has set, or several with commas between. A service that the core finds; a program has no use for it.
 */
public final class StartMetrics implements Monitor {
  /** For the core. */
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

  /** Apart, for the library may be missing. */
  private static final class Micrometer {
    static void start() {
      new RocksDbMetrics().bindTo(Metrics.globalRegistry);
    }
  }

  private static final class Telemetry {
    /** To ask for the global one before it is set would keep the program from setting it. */
    @SuppressWarnings("resource") // until the process ends
    static void start() {
      if (!GlobalOpenTelemetry.isSet()) {
        throw new IllegalStateException("set GlobalOpenTelemetry first, or add OpenTelemetry's agent");
      }
      new RocksDbTelemetry(GlobalOpenTelemetry.get());
    }
  }
}
