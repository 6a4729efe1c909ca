/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.pin;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LeakLevel;
import org.rocksdbffm.internal.leak.TrackedResource;

/**
 * The pin of a pinned value that is watched for being forgotten: one in some is, because a watch costs more than the
 * value. Released once, by the value or when that is forgotten. Thread-safe.
 */
public final class SampledPin implements TrackedResource {
  public static final int ONE_IN = 1024;

  private final PinLedger ledger;
  private final String name;
  private final Throwable site;
  private final long since = System.nanoTime();
  private final Runnable release;
  private final AtomicBoolean reported = new AtomicBoolean();
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean viewed;

  /** Watches what the ledger has counted. */
  public SampledPin(PinLedger ledger, String name, Runnable release) {
    this.ledger = ledger;
    this.name = name;
    boolean sited = LeakLevel.CURRENT == LeakLevel.ALL || ledger.watchesAll();
    this.site = sited ? new Throwable(name + " was pinned here") : null;
    this.release = release;
    ledger.watch(this);
  }

  /** Whether to watch what was pinned together in a database. */
  public static boolean isDue(PinLedger ledger) {
    return isDue(ledger, ThreadLocalRandom.current().nextInt(ONE_IN) == 0);
  }

  /** Whether to watch what was pinned, for one in so many of which this was drawn. */
  public static boolean isDue(PinLedger ledger, boolean drawn) {
    return drawn && LeakLevel.CURRENT == LeakLevel.SAMPLED || LeakLevel.CURRENT == LeakLevel.ALL || ledger.watchesAll();
  }

  /** Where it was pinned; null if that costs too much, which it does for one in some. */
  Throwable site() {
    return site;
  }

  long nanosOld() {
    return System.nanoTime() - since;
  }

  /** True once. */
  boolean isReportedFirst() {
    return reported.compareAndSet(false, true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isClosed() {
    return released.get();
  }

  /** Notes that the value has been viewed: a view may still be in use when the value itself is forgotten. */
  public void viewed() {
    viewed = true;
  }

  public void release() {
    if (released.compareAndSet(false, true)) {
      ledger.unwatch(this);
      release.run();
      FlightRecords.unpinned(name, since);
    }
  }

  @Override
  public void closeForgotten() {
    if (!viewed) {
      release();
    }
  }
}
