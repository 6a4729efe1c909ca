/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.ref.Cleaner.Cleanable;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Frees native memory whose object is unreachable, on a separate thread. A thread that creates such objects faster than
 * they are freed waits: the heap does not limit it, because most of their memory is outside of it. Thread-safe.
 *
 * <p>The thread lives only while there are objects that their owner must close, because a thread keeps its class loader
 * reachable. So a program that closes its databases can be unloaded, even if static fields hold objects that need no
 * close.
 */
public final class Reclaimer {
  private static final long LEAST_BYTES = 64 << 20;
  private static final int PART_OF_HEAP = 8;

  /** How long the thread waits when the heap is full, in nanoseconds. */
  private static final long PAUSE = 10_000_000;

  private static final BackPressure PRESSURE =
      new BackPressure(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  private static final Reclaimer OF_LOADER = new Reclaimer();

  private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

  // Guarded by this. The list of registrations, which keeps them reachable: an unreachable reference is never enqueued.
  private Registration first;
  private int toBeClosed;
  private Thread thread;
  private final List<Due> chores = new ArrayList<>();

  /** An additional task of the thread. */
  public interface Chore {
    /**
     * Does the pending work, or all remaining work if the thread ends.
     *
     * @return the nanoseconds until the next run; 0 for never
     */
    long perform(boolean isLast);
  }

  private record Due(Chore chore, long time) {}

  private Reclaimer() {}

  /**
   * Runs an action once after the object became unreachable, unless it was closed before; the action must not reference
   * the object.
   *
   * @param bytes the approximate native memory that is retained until then
   */
  public static Cleanable whenUnreachable(Object object, long bytes, Runnable action) {
    Action registration = new Action(object, bytes, action, true);
    OF_LOADER.register(registration);
    return registration;
  }

  /** Reclaims a registration's resource once its object is unreachable. */
  static void reclaimWhenUnreachable(Registration registration) {
    OF_LOADER.register(registration);
  }

  /** As above, for an object that needs no close: its memory may stay until the next object is registered. */
  public static void whenUnreachableAtLeisure(Object object, long bytes, Runnable action) {
    OF_LOADER.register(new Action(object, bytes, action, false));
  }

  /** Reclaims objects that are unreachable now, if no thread of the reclaimer runs. */
  static void reclaimAtLeisure() {
    OF_LOADER.reclaimWithoutThread();
  }

  private void register(Registration registration) {
    PRESSURE.add(registration.weight());
    boolean hasThread;
    try {
      hasThread = add(registration);
    } catch (Throwable e) {
      PRESSURE.remove(registration.weight());
      throw e;
    }
    if (!hasThread) {
      reclaimWithoutThread();
    }
  }

  /** Adds a registration; returns whether there is a thread. */
  private synchronized boolean add(Registration added) {
    if (added.isPrompt && thread == null) {
      start();
    }
    // No calls from here on: a stack overflow would break the list in two.
    added.isListed = true;
    toBeClosed += added.isPrompt ? 1 : 0;
    added.next = first;
    if (first != null) {
      first.previous = added;
    }
    first = added;
    return thread != null;
  }

  private void start() {
    try {
      thread = ServiceThread.start("rocksdbffm-reclaimer", this::work);
    } catch (OutOfMemoryError e) {
      return; // no thread can be started now; the next registration tries again
    }
  }

  /** Removes a registration; returns whether it was in the list. */
  private synchronized boolean remove(Registration removed) {
    if (!removed.isListed) {
      return false;
    }
    removed.isListed = false;
    if (removed.next != null) {
      removed.next.previous = removed.previous;
    }
    if (removed.previous != null) {
      removed.previous.next = removed.next;
    } else {
      first = removed.next;
    }
    // A closed object that is still referenced keeps its registration, which must not keep its neighbors.
    removed.next = null;
    removed.previous = null;
    toBeClosed -= removed.isPrompt ? 1 : 0;
    return true;
  }

  private synchronized void wakeIfNeedless() {
    if (toBeClosed == 0) {
      wake();
    }
  }

  /** Makes the thread check its work again. */
  private void wake() {
    if (thread != null) {
      new WeakReference<>(this, unreachable).enqueue();
    }
  }

  /** Makes the thread run a chore after {@code inNanos}, once there is a thread. */
  public static void perform(Chore chore, long inNanos) {
    OF_LOADER.add(chore, inNanos);
  }

  private synchronized void add(Chore chore, long inNanos) {
    chores.add(new Due(chore, System.nanoTime() + inNanos));
    wake();
  }

  private void work() {
    boolean isHeapFull = false;
    while (isNeeded()) {
      try {
        if (isHeapFull) { // here, because a first call may itself need heap
          isHeapFull = false;
          LockSupport.parkNanos(PAUSE);
        }
        run(unreachable.remove(performDue()));
      } catch (InterruptedException e) {
        continue; // nothing interrupts this thread
      } catch (OutOfMemoryError e) {
        isHeapFull = true; // continues, because nothing else frees the memory
      }
    }
    performLast();
  }

  private void performLast() {
    try {
      for (Due due : take(Long.MAX_VALUE)) {
        perform(due, true);
      }
    } catch (OutOfMemoryError e) {
      return; // the registrations stay in the list for the next thread
    }
  }

  private synchronized boolean isNeeded() {
    if (toBeClosed == 0) {
      thread = null;
    }
    return thread != null;
  }

  /** Returns the milliseconds until the next chore is due; 0 if absent. */
  private long performDue() {
    for (Due due : take(0)) {
      perform(due, false);
    }
    synchronized (this) {
      long now = System.nanoTime();
      long soonest = 0;
      for (Due due : chores) {
        long millis = Math.max(1, (due.time - now) / 1_000_000);
        soonest = soonest == 0 ? millis : Math.min(soonest, millis);
      }
      return soonest;
    }
  }

  /** Removes and returns the chores that are due within {@code nanos}. */
  private synchronized List<Due> take(long nanos) {
    long now = System.nanoTime();
    List<Due> taken = new ArrayList<>();
    for (Iterator<Due> each = chores.iterator(); each.hasNext(); ) {
      Due due = each.next();
      if (due.time - now <= nanos) {
        taken.add(due);
        each.remove(); // by position: the JDK keeps a record's class loader alive after the first equals
      }
    }
    return taken;
  }

  private void perform(Due due, boolean isLast) {
    try {
      long again = due.chore.perform(isLast);
      if (again > 0 && !isLast) {
        add(due.chore, again);
      }
    } catch (Throwable e) {
      return; // the failed chore is not repeated; later chores run nevertheless
    }
  }

  private void reclaimWithoutThread() {
    synchronized (this) {
      if (thread != null) {
        return;
      }
    }
    for (Reference<?> found = unreachable.poll(); found != null; found = unreachable.poll()) {
      run(found);
    }
  }

  private static void run(Reference<?> found) {
    if (found instanceof Registration registration) {
      try {
        registration.clean();
      } catch (Throwable e) {
        return; // the action reports its failure; later actions run nevertheless
      }
    }
  }

  /** A reference to an object that will be reclaimed when it is unreachable; the subclass defines the action. */
  abstract static class Registration extends PhantomReference<Object> implements Cleanable {
    private final boolean isPrompt;

    // Guarded by the reclaimer.
    private boolean isListed;
    private Registration next;
    private Registration previous;

    /** {@code isPrompt}: a thread reclaims the resource soon; otherwise it may wait until the next registration. */
    Registration(Object object, boolean isPrompt) {
      super(object, OF_LOADER.unreachable);
      this.isPrompt = isPrompt;
    }

    /** Returns the approximate native memory that is retained until then; constant. */
    abstract long weight();

    /** Reclaims the resource; called at most once. */
    abstract void reclaim();

    /** Reclaims the resource now, unless it was reclaimed before. */
    @Override
    public final void clean() {
      end(true);
    }

    /** Removes the registration without reclaiming; returns false if it was not registered. */
    final boolean drop() {
      return end(false);
    }

    private boolean end(boolean reclaims) {
      if (!OF_LOADER.remove(this)) {
        return false;
      }
      try {
        if (reclaims) {
          reclaim();
        }
      } finally {
        PRESSURE.remove(weight());
        if (isPrompt && OF_LOADER.toBeClosed == 0) { // the last remover sees the zero
          OF_LOADER.wakeIfNeedless();
        }
      }
      return true;
    }
  }

  /** A registration with a function. */
  private static final class Action extends Registration {
    private final long bytes;
    private final Runnable action;

    Action(Object object, long bytes, Runnable action, boolean isPrompt) {
      super(object, isPrompt);
      this.bytes = bytes;
      this.action = action;
    }

    @Override
    long weight() {
      return bytes;
    }

    @Override
    void reclaim() {
      action.run();
    }
  }
}
