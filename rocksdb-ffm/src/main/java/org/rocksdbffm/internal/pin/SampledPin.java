/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.pin;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.jfr.FlightRecords;
import org.rocksdbffm.internal.leak.LeakLevel;
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.leak.TrackedResource;

/**
 * The pin of a sampled value, which is watched for leaks. Only some values are sampled, because the watch costs more
 * than the value. Released once: by the value's close, or when the value becomes unreachable. Thread-safe.
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
  private final LeakWatch watch;
  private volatile boolean viewed;

  /**
   * Samples a pin that the ledger has counted.
   *
   * @param owner the object that is watched for leaks; {@code release} must not reference it
   */
  public SampledPin(Object owner, PinLedger ledger, String name, Runnable release) {
    this.ledger = ledger;
    this.name = name;
    boolean sited = LeakLevel.CURRENT == LeakLevel.ALL || ledger.watchesAll();
    this.site = sited ? new Throwable(name + " was pinned here") : null;
    this.release = release;
    ledger.watch(this);
    this.watch = LeakWatch.over(owner, this);
  }

  /** Returns whether to sample the pins of a multi-get. */
  public static boolean isDue(PinLedger ledger) {
    return isDue(ledger, ThreadLocalRandom.current().nextInt(ONE_IN) == 0);
  }

  /** Whether to sample a pin. {@code drawn}: whether the pin was chosen at random, one in {@link #ONE_IN}. */
  public static boolean isDue(PinLedger ledger, boolean drawn) {
    return drawn && LeakLevel.CURRENT == LeakLevel.SAMPLED || LeakLevel.CURRENT == LeakLevel.ALL || ledger.watchesAll();
  }

  /**
   * Returns the stack at which the value was pinned; null if only one pin in many is sampled, when a stack costs too
   * much.
   */
  Throwable site() {
    return site;
  }

  long nanosOld() {
    return System.nanoTime() - since;
  }

  /** Returns true on the first call only. */
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

  /** Notes that the program has a view of the value, which may still be in use when the value is unreachable. */
  public void viewed() {
    viewed = true;
  }

  public void release() {
    free();
    watch.end();
  }

  private void free() {
    if (released.compareAndSet(false, true)) {
      ledger.unwatch(this);
      release.run();
      FlightRecords.unpinned(name, since);
    }
  }

  @Override
  public void closeForgotten() {
    if (!viewed) {
      free();
    }
  }
}
