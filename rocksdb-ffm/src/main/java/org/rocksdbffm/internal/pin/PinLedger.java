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
import org.rocksdbffm.internal.leak.LeakWatch;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.leak.StripedCounter;
import org.rocksdbffm.internal.settings.MemoryShare;

/**
 * The account of what is pinned in a database: how many values, how many bytes, and those that are watched, with their
 * age. Holds it against the limits. Thread-safe.
 */
public final class PinLedger {
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final int LOOKS_AN_AGE = 4;

  /** A look at a memory budget takes as long as a short read, so some pins have none. */
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

  /** Of a database that may have a share of a memory budget, or null. */
  public PinLedger(String name, MemoryShare memory) {
    this.name = name;
    this.memory = memory;
  }

  /** Sets the limits, of which each may be null. */
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

  /** Whether every pinned value is to be watched, and not one in many. */
  boolean watchesAll() {
    Limits now = limits;
    return now != Limits.NONE && now.warnAge != NO_LIMIT;
  }

  /** Whether there is a limit beyond which pins are refused. */
  public boolean hasMost() {
    return limits.maxBytes != NO_LIMIT;
  }

  /** Counts a pin, or refuses it. Logs nothing itself: it is called within calls, where no code of a user's runs. */
  public void add(long size) {
    if (size > LARGE_PIN || size != 0 && memory != null && ThreadLocalRandom.current().nextInt(PINS_A_LOOK) == 0) {
      requireRoom();
    }
    bytes.add(size);
    Limits now = limits;
    if (now != Limits.NONE && now.countBytes()) {
      compare(now, size);
    }
    pins.increment();
  }

  /** Refuses what keeps memory, a pin or an iterator, where what cannot be dropped would fill the memory budget. */
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
      bytes.add(-size);
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

  /** How many pins there are; final when it is zero and none can be added any more. */
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

  /** The age of the oldest pin that is watched. */
  public Optional<Duration> oldestAge() {
    return oldest().map(pin -> Duration.ofNanos(pin.nanosOld()));
  }

  /** No pin is left, and none will be added. */
  public void end() {
    limits = Limits.NONE;
  }

  /** Whether there is a reason to look again. */
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
    System.getLogger(LeakWatch.LOGGER).log(Level.WARNING, message, site);
  }
}
