/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.foreign;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * A value for each thread, like a {@link ThreadLocal}, but held by this object and not by the thread. An engine
 * thread lives as long as the process, and would retain the value, its class and the class loader. A value is dropped
 * after its thread ended, when further values are set, or with this object. Thread-safe.
 */
public final class PerThread<T> {
  private static final int FEW = 64;

  // The thread references the value weakly, and no class of this library.
  private final ThreadLocal<WeakReference<Kept<T>>> own = new ThreadLocal<>();

  // Guarded by this.
  private final List<Kept<T>> kept = new ArrayList<>();
  private int many = FEW;

  /** References the thread weakly, because an ended thread may still reference everything that its task used. */
  private record Kept<T>(WeakReference<Thread> thread, T value) {
    boolean isOver() {
      Thread owner = thread.get();
      return owner == null || !owner.isAlive();
    }
  }

  /** Returns the calling thread's value; null if none was set. */
  public T get() {
    WeakReference<Kept<T>> reference = own.get();
    Kept<T> entry = reference == null ? null : reference.get();
    return entry == null ? null : entry.value;
  }

  /** Sets the calling thread's value; it must not have one yet. */
  public void set(T value) {
    Kept<T> entry = new Kept<>(new WeakReference<>(Thread.currentThread()), value);
    keep(entry);
    own.set(new WeakReference<>(entry));
  }

  private synchronized void keep(Kept<T> more) {
    if (kept.size() >= many) {
      kept.removeIf(Kept::isOver);
      many = Math.max(FEW, 2 * kept.size());
    }
    kept.add(more);
  }
}
