/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdbffm.internal.jfr.FlightRecords;

/**
 * What is pinned by a pinned value that is watched: one in some is, because a watch costs more than the
 * value. Released once, by the value or when that is forgotten. Thread-safe.
 */
public final class WatchedPin implements Forgettable {
  private static final int ONE_IN = 1024;

  private final String name;
  private final Runnable release;
  private final AtomicBoolean released = new AtomicBoolean();
  private final long since = System.nanoTime();
  private volatile boolean viewed;

  public WatchedPin(String name, Runnable release) {
    this.name = name;
    this.release = release;
  }

  /** Whether to watch the next pinned value. */
  public static boolean isDue() {
    return switch (LeakLevel.CURRENT) {
      case OFF -> false;
      case SAMPLED -> ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
      case ALL -> true;
    };
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isClosed() {
    return released.get();
  }

  /** Whoever has a view of the value may have it still when the value itself is forgotten. */
  public void viewed() {
    viewed = true;
  }

  public void release() {
    if (released.compareAndSet(false, true)) {
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
