/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.StampedLock;

/**
 * Lets a copy of the database exclude concurrent writes that it must have completely or not at all, while it flushes
 * the families one by one and lists the files: batches without WAL, which would be torn, and new column families with a
 * Java comparator. Thread-safe.
 */
public final class CopyGate {
  private static final long OPEN = 0;

  private final StampedLock lock = new StampedLock();

  // Whether anything was ever written without the WAL.
  private volatile boolean unlogged;

  /** The period in which the gate is closed; any thread may end it, repeatedly. */
  public final class Closing implements AutoCloseable {
    private final long stamp = lock.writeLock();
    private final AtomicBoolean ended = new AtomicBoolean();

    private Closing() {}

    /** Whether the copy must flush because the WAL is incomplete. */
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

  /** Closes the gate for a copy: waits for current passages, and blocks new ones. */
  public Closing close() {
    return new Closing();
  }

  /** Enters the gate for a write if it skips the WAL; ended by {@link #leave}. */
  public long enterWrite(boolean withoutLog) {
    if (!withoutLog) {
      return OPEN;
    }
    long stamp = lock.readLock();
    unlogged = true;
    return stamp;
  }

  /** Enters the gate for a new column family if it has a Java comparator; ended by {@link #leave}. */
  public long enterFamily(boolean orderedInJava) {
    return orderedInJava ? lock.readLock() : OPEN;
  }

  public void leave(long stamp) {
    if (stamp != OPEN) {
      lock.unlockRead(stamp);
    }
  }
}
