/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * Notices that an object became unreachable without being closed: says so by the logger
 * {@value #LOGGER}, and reclaims what the object stood for. Thread-safe.
 */
public final class LeakWatch extends Reclaimer.Registration {
  public static final String LOGGER = "org.rocksdbffm";

  private final TrackedResource standsFor;
  private final Throwable origin;

  private LeakWatch(Object object, TrackedResource standsFor, Throwable origin) {
    super(object);
    this.standsFor = standsFor;
    this.origin = origin;
  }

  /** Watches an object, which what it stands for must not refer to. */
  public static LeakWatch over(Object object, TrackedResource standsFor) {
    Throwable origin =
        LeakLevel.CURRENT.isTraceDue() ? new Throwable(standsFor.name() + " was created here") : null;
    LeakWatch watch = new LeakWatch(object, standsFor, origin);
    Reclaimer.reclaimWhenUnreachable(watch);
    return watch;
  }

  /** Ends the watch over what was closed. */
  public void end() {
    drop();
  }

  @Override
  long weight() {
    return standsFor.weight();
  }

  @Override
  void reclaim() {
    if (standsFor.isClosed()) {
      return;
    }
    if (LeakLevel.CURRENT != LeakLevel.OFF) {
      report();
    }
    standsFor.closeForgotten();
  }

  private void report() {
    FlightRecords.leaked(standsFor.name(), origin);
    LeakReports.OF_LOADER.forgotten(standsFor.name(), origin);
  }
}
