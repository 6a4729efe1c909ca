/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * Notices that an object became unreachable without being closed: says so by the logger
 * {@value #LOGGER}, and reclaims what the object stood for. Thread-safe.
 */
public final class LeakWatch {
  public static final String LOGGER = "org.rocksdbffm";

  private final Watched watched;
  private final Reclaimer.Registration registration;

  private LeakWatch(Watched watched, Reclaimer.Registration registration) {
    this.watched = watched;
    this.registration = registration;
  }

  /** Watches an object, which what it stands for must not refer to. */
  public static LeakWatch over(Object object, TrackedResource standsFor) {
    Throwable origin =
        LeakLevel.CURRENT.isTraceDue() ? new Throwable(standsFor.name() + " was created here") : null;
    Watched watched = new Watched(standsFor, origin);
    return new LeakWatch(watched, Reclaimer.whenUnreachable(object, standsFor.weight(), watched));
  }

  /** Ends the watch over what was closed. */
  public void end() {
    watched.ended = true;
    registration.clean();
  }

  private static final class Watched implements Runnable {
    private final TrackedResource standsFor;
    private final Throwable origin;
    private volatile boolean ended;

    Watched(TrackedResource standsFor, Throwable origin) {
      this.standsFor = standsFor;
      this.origin = origin;
    }

    @Override
    public void run() {
      if (ended || standsFor.isClosed()) {
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
}
