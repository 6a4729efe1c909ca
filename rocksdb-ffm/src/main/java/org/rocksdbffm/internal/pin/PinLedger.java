/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.pin;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.PinLimitException;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.leak.StripedCounter;
import org.rocksdbffm.internal.loader.Warnings;
import org.rocksdbffm.internal.settings.MemoryShare;

/**
 * Counts the pinned values of a database and their bytes, enforces the limits, and holds the sampled pins with their
 * age. Thread-safe.
 */
public final class PinLedger {
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final int LOOKS_AN_AGE = 4;

  /** Reading a memory budget's usage costs as much as a short read, so only one small pin in this many checks it. */
  private static final int PINS_A_LOOK = 16;
  private static final long LARGE_PIN = 64 << 10;

  /** In bytes and nanoseconds. */
  private record Limits(long warnBytes, long maxBytes, long warnAge) {
    static final Limits NONE = new Limits(NO_LIMIT, NO_LIMIT, NO_LIMIT);

    boolean countBytes() {
      return warnBytes != NO_LIMIT || maxBytes != NO_LIMIT;
    }
  }

  private final String name;
  private final MemoryShare memory; // null for none
  private final StripedCounter pins = new StripedCounter();
  private final StripedCounter bytes = new StripedCounter();
  private final Set<SampledPin> watched = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile Limits limits = Limits.NONE;

  /** {@code memory}: the database's share of a memory budget, or null. */
  public PinLedger(String name, MemoryShare memory) {
    this.name = name;
    this.memory = memory;
  }

  /** Sets the limits; null for no limit. */
  public void limit(Long warnBytes, Long maxBytes, Duration warnAge) {
    Limits next =
        new Limits(
            warnBytes == null ? NO_LIMIT : warnBytes,
            maxBytes == null ? NO_LIMIT : maxBytes,
            warnAge == null ? NO_LIMIT : nanos(warnAge));
    limits = next;
    if (next.warnAge != NO_LIMIT) {
      long pause = Math.max(TimeUnit.MILLISECONDS.toNanos(1), next.warnAge / LOOKS_AN_AGE);
      Reclaimer.perform(isLast -> lookForOld(next) ? pause : 0, pause);
    }
  }

  private static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return NO_LIMIT;
    }
  }

  /** Whether every pinned value is sampled, instead of one in many. */
  boolean watchesAll() {
    Limits now = limits;
    return now != Limits.NONE && now.warnAge != NO_LIMIT;
  }

  /** Whether pins are refused above a limit of bytes. */
  public boolean hasMost() {
    return limits.maxBytes != NO_LIMIT;
  }

  /**
   * Counts a pin, or refuses it. Logs on another thread, because this runs within calls, where no user code may run.
   */
  public void add(long size) {
    if (size > LARGE_PIN || size != 0 && memory != null && ThreadLocalRandom.current().nextInt(PINS_A_LOOK) == 0) {
      requireRoom();
    }
    bytes.add(size);
    Limits now = limits;
    if (size != 0 && now != Limits.NONE && now.countBytes()) {
      try {
        compare(now, size);
      } catch (Throwable e) {
        bytes.add(-size);
        throw e;
      }
    }
    pins.increment();
  }

  /** Refuses a pin or an iterator while memory that cannot be evicted takes more than three quarters of the budget. */
  public void requireRoom() {
    if (memory != null) {
      long kept = memory.kept();
      if (kept > memory.whole() / 4 * 3) {
        throw new PinLimitException(
            name + ": of the memory budget of " + memory.whole() + " bytes " + kept
                + " are in use by pinned values, cursors and memtables: close some of them, or raise the budget");
      }
    }
  }

  private void compare(Limits now, long size) {
    long sum = bytes.sum();
    if (sum > now.maxBytes) {
      throw new PinLimitException(
          name + ": " + (sum - size) + " bytes are pinned in " + pins.sum() + " reads, and " + size
              + " more would exceed the limit of " + now.maxBytes
              + ": close values sooner, copy what is kept (get, getInto), or raise the limit (pins().limit)");
    }
    if (sum > now.warnBytes && warned.compareAndSet(false, true)) {
      String message = name + ": " + sum + " bytes are pinned, which is more than " + now.warnBytes;
      Throwable site = new Throwable("the value that was one too many was pinned here");
      oldest().map(SampledPin::site).ifPresent(site::addSuppressed);
      ForkJoinPool.commonPool().execute(() -> log(message, site));
    }
  }

  public void remove(long size) {
    bytes.add(-size);
    pins.decrement();
    if (warned.get() && bytes.sum() <= limits.warnBytes) {
      warned.set(false);
    }
  }

  /** Returns the number of pins; exact once no more can be added and it is zero. */
  public long count() {
    return pins.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  void watch(SampledPin pin) {
    watched.add(pin);
  }

  void unwatch(SampledPin pin) {
    watched.remove(pin);
  }

  private Optional<SampledPin> oldest() {
    return watched.stream().max(Comparator.comparing(SampledPin::nanosOld));
  }

  /** Returns the age of the oldest sampled pin. */
  public Optional<Duration> oldestAge() {
    return oldest().map(pin -> Duration.ofNanos(pin.nanosOld()));
  }

  /** Stops the checks for old pins. No pin is left, and none will be added. */
  public void end() {
    limits = Limits.NONE;
  }

  /** Warns of old pins; returns whether the limits are still {@code then}, so that the check is repeated. */
  private boolean lookForOld(Limits then) {
    if (limits != then) {
      return false;
    }
    reportOld(then.warnAge);
    return true;
  }

  private void reportOld(long age) {
    for (SampledPin pin : watched) {
      if (pin.nanosOld() > age && pin.isReportedFirst()) {
        log(
            pin.name() + " has been pinned for " + Duration.ofNanos(pin.nanosOld()).truncatedTo(
                java.time.temporal.ChronoUnit.MILLIS) + ": it keeps memory of the engine's",
            pin.site());
      }
    }
  }

  private static void log(String message, Throwable site) {
    Warnings.log(Level.WARNING, message, site);
  }

  @Override
  public String toString() {
    return name;
  }
}
