/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The lifetime of what is pinned in the engine: it is released once nobody holds it and no view of it is
 * open. Holders come and go on any thread; a view belongs to one thread and keeps the memory whatever the
 * holders do, so no view ever shows memory that is gone.
 */
abstract sealed class Pinned implements AutoCloseable permits PinnedValue, PinnedValues {
  // Two counts in one word, to keep the object small: holders below, open views above. Both at zero release.
  private static final int ONE_HOLDER = 1;
  private static final int ONE_VIEW = 1 << 16;
  private static final int MAX_COUNT = ONE_VIEW - 1;
  private static final VarHandle COUNTS;

  static {
    try {
      COUNTS = MethodHandles.lookup().findVarHandle(Pinned.class, "counts", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int counts = ONE_HOLDER;

  // The view that needs no closing of its own: a close by the thread that it is confined to ends it.
  private volatile Arena own;
  private Thread owner;

  /** Gives the memory back to the engine; called once. */
  abstract void release();

  /** What it is and where it lives, for messages. */
  abstract String name();

  /** The arena of the first thread that asks; it ends when that thread closes this object. */
  final Arena ownArena() {
    Arena arena = own;
    return arena != null ? arena : openOwnArena();
  }

  private synchronized Arena openOwnArena() {
    if (own == null) {
      Arena arena = Arena.ofConfined();
      openView();
      owner = Thread.currentThread();
      own = arena;
    }
    return own;
  }

  static void requireOpen(Arena view, Pinned viewed) {
    if (!view.scope().isAlive()) {
      throw new IllegalStateException("a view of a " + viewed.name() + " is closed");
    }
  }

  void openView() {
    add(ONE_VIEW);
  }

  // Each asks for itself whether it was the last: it mostly is for a holder and mostly not for a view, and the
  // compiler leaves out a release that it never saw.
  final void closeView() {
    if (isLastAfter(ONE_VIEW)) {
      release();
    }
  }

  final void addHolder() {
    add(ONE_HOLDER);
  }

  private IllegalStateException released() {
    return new IllegalStateException(name() + " is released: ask for it while somebody still holds it");
  }

  private static int holders(int counts) {
    return counts & MAX_COUNT;
  }

  private static int views(int counts) {
    return counts >>> 16;
  }

  private void add(int one) {
    int now;
    do {
      now = counts;
      if (holders(now) == 0) {
        throw released();
      }
      if ((one == ONE_HOLDER ? holders(now) : views(now)) == MAX_COUNT) {
        throw new IllegalStateException(name() + " has " + MAX_COUNT + " holders or views: is one never closed?");
      }
    } while (!COUNTS.compareAndSet(this, now, now + one));
  }

  /** Takes a count back; true if none is left. */
  private boolean isLastAfter(int one) {
    int now;
    do {
      now = counts;
      if (one == ONE_HOLDER && holders(now) == 0) {
        return false; // closed already
      }
    } while (!COUNTS.compareAndSet(this, now, now - one));
    return now == one;
  }

  /**
   * Lets go of one hold, and ends this thread's {@code segment}s. The memory goes back to the engine when
   * nobody holds it and no view is open; closing what was released already does nothing.
   */
  @Override
  public void close() {
    Arena arena = own;
    if (arena != null) {
      closeOwn(arena);
    }
    if (isLastAfter(ONE_HOLDER)) {
      release();
    }
  }

  /** Only its thread can close an arena; where that has ended, nobody can read through it any more. */
  private void closeOwn(Arena arena) {
    Thread thread = owner;
    boolean ended = thread != Thread.currentThread();
    if (ended && thread.isAlive()) {
      return;
    }
    synchronized (this) {
      if (own != arena) {
        return;
      }
      if (!ended) {
        arena.close();
      }
      own = null;
    }
    closeView();
  }
}
