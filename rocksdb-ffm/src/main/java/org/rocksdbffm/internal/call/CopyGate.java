/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.StampedLock;

/**
 * Keeps a copy of the database apart from what it must have as a whole or not at all, while it flushes the column families
 * one by one and lists the files: from batches without a log, which would be torn, and from new column families ordered in
 * Java. Thread-safe.
 */
public final class CopyGate {
  private static final long OPEN = 0;

  private final StampedLock lock = new StampedLock();

  // Whether anything was ever written without the log.
  private volatile boolean unlogged;

  /** The time in which nothing passes; it may be ended by any thread, and more than once. */
  public final class Closing implements AutoCloseable {
    private final long stamp = lock.writeLock();
    private final AtomicBoolean ended = new AtomicBoolean();

    private Closing() {}

    /** Whether the copy has to flush because the log does not have all. */
    public boolean needsFlush() {
      return unlogged;
    }

    @Override
    public void close() {
      if (ended.compareAndSet(false, true)) {
        lock.unlockWrite(stamp);
      }
    }
  }

  /** Begins the work of a copy; waits for what is passing, and holds up what comes. */
  public Closing close() {
    return new Closing();
  }

  /** Lets a write pass if it leaves out the log; ends by {@link #leave}. */
  public long enterWrite(boolean withoutLog) {
    if (!withoutLog) {
      return OPEN;
    }
    long stamp = lock.readLock();
    unlogged = true;
    return stamp;
  }

  /** Lets a new column family pass if it is ordered in Java; ends by {@link #leave}. */
  public long enterFamily(boolean orderedInJava) {
    return orderedInJava ? lock.readLock() : OPEN;
  }

  public void leave(long stamp) {
    if (stamp != OPEN) {
      lock.unlockRead(stamp);
    }
  }
}
