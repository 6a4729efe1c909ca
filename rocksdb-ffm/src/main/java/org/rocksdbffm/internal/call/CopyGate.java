/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.StampedLock;

/**
 * Lets a copy of the database block some writes while it flushes the families one by one and lists the files. Blocks
 * batches without WAL, of which the copy would have only a part, and new column families with a Java comparator.
 * Thread-safe.
 */
public final class CopyGate {
  private final StampedLock lock = new StampedLock();

  private volatile boolean unlogged;

  /** The period in which the gate is closed; any thread may end it, repeatedly. */
  public final class Closing implements AutoCloseable {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final long stamp = lock.writeLock(); // last, because a failure after it would leave the gate closed

    private Closing() {}

    /** Whether the copy must flush because the WAL is incomplete. */
    public boolean needsFlush() {
      return isUnlogged();
    }

    @Override
    public void close() {
      if (ended.compareAndSet(false, true)) {
        lock.unlockWrite(stamp);
      }
    }
  }

  /** One passage through the gate, for which a copy waits; closed by the same thread with {@code try}. */
  public static final class Pass implements AutoCloseable {
    private static final Pass FREE = new Pass(null);

    private final StampedLock lock;
    private final long stamp;

    private Pass(StampedLock lock) {
      this.lock = lock;
      this.stamp = lock == null ? 0 : lock.readLock();
    }

    @Override
    public void close() {
      if (lock != null) {
        lock.unlockRead(stamp);
      }
    }
  }

  /** Whether anything was ever written without the WAL. */
  public boolean isUnlogged() {
    return unlogged;
  }

  /** Closes the gate for a copy: waits for current passages, and blocks new ones. */
  public Closing close() {
    return new Closing();
  }

  /** Passes the gate for a write, which waits for a copy only if it skips the WAL. */
  public Pass passWrite(boolean withoutLog) {
    if (!withoutLog) {
      return Pass.FREE;
    }
    Pass pass = new Pass(lock);
    unlogged = true;
    return pass;
  }

  /** Passes the gate for a new column family, which waits for a copy only if it has a Java comparator. */
  public Pass passFamily(boolean orderedInJava) {
    return orderedInJava ? new Pass(lock) : Pass.FREE;
  }
}
