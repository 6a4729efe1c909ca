/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * A value for each thread, as a {@link ThreadLocal} has it, but kept by this object and not by the thread. A thread of
 * the engine's lives as long as the process, and would keep the value, its class and the class loader of that. A value
 * goes when its thread has ended and others are set, or with this object. Thread-safe.
 */
public final class PerThread<T> {
  private static final int FEW = 64;

  // The thread holds it weakly, and nothing of this library's classes.
  private final ThreadLocal<WeakReference<Kept<T>>> own = new ThreadLocal<>();

  // Guarded by this.
  private final List<Kept<T>> kept = new ArrayList<>();
  private int many = FEW;

  /** A thread that ended must be free to go: it may refer to all that its task did. */
  private record Kept<T>(WeakReference<Thread> thread, T value) {
    boolean isOver() {
      Thread its = thread.get();
      return its == null || !its.isAlive();
    }
  }

  /** The value of the thread that asks; null if none was set. */
  public T get() {
    WeakReference<Kept<T>> reference = own.get();
    Kept<T> mine = reference == null ? null : reference.get();
    return mine == null ? null : mine.value;
  }

  /** Sets the value of the thread that asks, which has none yet. */
  public void set(T value) {
    Kept<T> mine = new Kept<>(new WeakReference<>(Thread.currentThread()), value);
    keep(mine);
    own.set(new WeakReference<>(mine));
  }

  private synchronized void keep(Kept<T> more) {
    if (kept.size() >= many) {
      kept.removeIf(Kept::isOver);
      many = Math.max(FEW, 2 * kept.size());
    }
    kept.add(more);
  }
}
