/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.leak;

import java.lang.ref.Cleaner.Cleanable;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Reclaims native memory whose object nobody can reach any more, on a thread of its own. A thread that makes such
 * objects faster than they are reclaimed waits: the heap alone would not hold it up, for their memory is mostly outside
 * of it. Thread-safe.
 *
 * <p>The thread lives while there is anything that its owner has to close, and no longer: a thread keeps the class
 * loader whose code it runs. So a program that closes its databases can be unloaded, whatever it leaves in static fields
 * of things that need no close.
 */
public final class Reclaimer {
  private static final long LEAST_BYTES = 64 << 20;
  private static final int PART_OF_HEAP = 8;

  /** How long the thread waits where the heap is full, in nanoseconds. */
  private static final long PAUSE = 10_000_000;

  private static final BackPressure PRESSURE =
      new BackPressure(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  private static final Reclaimer OF_LOADER = new Reclaimer();

  private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

  // Guarded by this. The registrations are a list, for a reference that nobody holds is never found.
  private Registration first;
  private int toBeClosed;
  private Thread thread;
  private final List<Due> chores = new ArrayList<>();

  /** A task of the thread beside its work. */
  public interface Chore {
    /**
     * Does what is due by now, or all that is left if the thread ends.
     *
     * @return in how many nanoseconds it is to be done again; 0 for never
     */
    long perform(boolean isLast);
  }

  private record Due(Chore chore, long time) {}

  private Reclaimer() {}

  /**
   * Runs the action once after the object became unreachable, unless it was closed before; the action must not refer to
   * it.
   *
   * @param bytes about how much native memory is kept until then
   */
  public static Cleanable whenUnreachable(Object object, long bytes, Runnable action) {
    Action registration = new Action(object, bytes, action, true);
    OF_LOADER.register(registration);
    return registration;
  }

  /** Has a registration reclaim what its object stood for, once the object became unreachable. */
  static void reclaimWhenUnreachable(Registration registration) {
    OF_LOADER.register(registration);
  }

  /** The same for an object that needs no close: its memory may be reclaimed as late as when something else is made. */
  public static void whenUnreachableAtLeisure(Object object, long bytes, Runnable action) {
    OF_LOADER.register(new Action(object, bytes, action, false));
  }

  /** Reclaims what is unreachable by now and has no thread to wait for it. */
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

  /** Returns whether there is a thread that waits for what is in the list. */
  private synchronized boolean add(Registration added) {
    if (added.isPrompt && thread == null) {
      start();
    }
    // Nothing is called from here on: a stack that ended would leave a list in two pieces.
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
      return; // the system has no thread to give: the next registration asks again
    }
  }

  /** Whether the registration was in the list; it is in there once. */
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
    // A closed object that is still held keeps its registration, which must not keep its neighbours.
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

  /** Has the thread look again for what there is to do. */
  private void wake() {
    if (thread != null) {
      new WeakReference<>(this, unreachable).enqueue();
    }
  }

  /** Has the thread do something in so many nanoseconds; not before there is a thread. */
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
        if (isHeapFull) { // here, because a first call may need heap itself
          isHeapFull = false;
          LockSupport.parkNanos(PAUSE);
        }
        run(unreachable.remove(performDue()));
      } catch (InterruptedException e) {
        continue; // nobody who knows this thread has a reason to
      } catch (OutOfMemoryError e) {
        isHeapFull = true; // without this thread nothing would be released any more
      }
    }
    performLast();
  }

  private void performLast() {
    try {
      take(Long.MAX_VALUE).forEach(due -> perform(due, true));
    } catch (OutOfMemoryError e) {
      return; // they stay in the list, for the thread that is started next
    }
  }

  private synchronized boolean isNeeded() {
    if (toBeClosed == 0) {
      thread = null;
    }
    return thread != null;
  }

  /** Returns in how many milliseconds the next is due; 0 if there is none. */
  private long performDue() {
    take(0).forEach(due -> perform(due, false));
    synchronized (this) {
      long now = System.nanoTime();
      return chores.stream().mapToLong(due -> Math.max(1, (due.time - now) / 1_000_000)).min().orElse(0);
    }
  }

  /** Takes from the list what is due within so many nanoseconds. */
  private synchronized List<Due> take(long nanos) {
    long now = System.nanoTime();
    List<Due> taken = chores.stream().filter(due -> due.time - now <= nanos).toList();
    chores.removeAll(taken);
    return taken;
  }

  private void perform(Due due, boolean isLast) {
    try {
      long again = due.chore.perform(isLast);
      if (again > 0 && !isLast) {
        add(due.chore, again);
      }
    } catch (Throwable e) {
      return; // it is not done again; the next ones have their turn all the same
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
        return; // it is told by who runs the action; the next ones have their turn all the same
      }
    }
  }

  /** An object that is waited for; a subclass says what is done then. */
  abstract static class Registration extends PhantomReference<Object> implements Cleanable {
    private final boolean isPrompt;

    // Guarded by the reclaimer.
    private boolean isListed;
    private Registration next;
    private Registration previous;

    /** Is prompt if a thread waits for its object; if not, that may be reclaimed as late as when another is made. */
    Registration(Object object, boolean isPrompt) {
      super(object, OF_LOADER.unreachable);
      this.isPrompt = isPrompt;
    }

    /** About how much native memory is kept until then; always the same. */
    abstract long weight();

    /** Reclaims what the object stood for; called once at most. */
    abstract void reclaim();

    /** Reclaims now, if that was not done before. */
    @Override
    public final void clean() {
      end(true);
    }

    /** Waits no longer, and reclaims nothing; false if nothing was waited for. */
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
        if (isPrompt && OF_LOADER.toBeClosed == 0) { // at least by the thread whose object was the last
          OF_LOADER.wakeIfNeedless();
        }
      }
      return true;
    }
  }

  /** A registration whose action is a function. */
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
