/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The lifetime of pinned memory: it is released when it has no holder and no open view. Holders are added and removed
 * by any thread; a view belongs to one thread and keeps the memory pinned independently of the holders, so no view ever
 * shows freed memory.
 */
abstract sealed class Pinned implements AutoCloseable permits Entity, PinnedValue, PinnedValues {
  // Two counts in one word, to keep the object small: holders in the lower half, open views in the upper, and in the
  // sign whether the implicit view of {@code ownArena} exists. Zero releases.
  private static final int ONE_HOLDER = 1;
  private static final int ONE_VIEW = 1 << 16;
  private static final int OWN_VIEW = 1 << 31;
  private static final int MAX_HOLDERS = ONE_VIEW - 1;
  private static final int MAX_VIEWS = MAX_HOLDERS >> 1;
  private static final VarHandle COUNTS;
  private static final VarHandle OWN;
  private static final VarHandle OWNER;

  static {
    try {
      var lookup = MethodHandles.lookup();
      COUNTS = lookup.findVarHandle(Pinned.class, "counts", int.class);
      OWN = lookup.findVarHandle(Pinned.class, "own", Arena.class);
      OWNER = lookup.findVarHandle(Pinned.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int counts = ONE_HOLDER;

  // The implicit view: it ends when its thread calls close. The thread that becomes the owner of the arena sets this
  // afterwards, and clears it before it gives up the ownership. Other threads must see these writes in order, but not
  // immediately, so release stores suffice.
  private volatile Arena own;
  private volatile Thread owner;

  /** Releases the pinned memory; called once. */
  abstract void release();

  /** Returns the kind of object and its database, for messages. */
  abstract String name();

  /** Returns the arena of the first thread that calls this; it ends when that thread closes this object. */
  final Arena ownArena() {
    Arena arena = own;
    return arena != null ? arena : openOwnArena();
  }

  private Arena openOwnArena() {
    Arena arena = Arena.ofConfined();
    viewed();
    int now;
    do {
      now = requireHeld();
      if (hasOwnView(now)) {
        return arenaOfAnother();
      }
    } while (!COUNTS.compareAndSet(this, now, now | OWN_VIEW));
    OWNER.setRelease(this, Thread.currentThread());
    OWN.setRelease(this, arena);
    return arena;
  }

  /** Waits for the arena of a thread that is opening it concurrently; opens one if it is closed again. */
  private Arena arenaOfAnother() {
    while (hasOwnView(counts)) {
      Arena arena = own;
      if (arena != null) {
        return arena;
      }
      Thread.onSpinWait();
    }
    return ownArena();
  }

  static void requireOpen(Arena view, Pinned viewed) {
    if (!view.scope().isAlive()) {
      throw new IllegalStateException("a view of a " + viewed.name() + " is closed: take another while that is open");
    }
  }

  /** Called before a view is opened. */
  void viewed() {}

  final void openView() {
    viewed();
    add(ONE_VIEW);
  }

  final void closeView() {
    if (isLastAfter(ONE_VIEW, 0)) {
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
    return counts & MAX_HOLDERS;
  }

  private static int views(int counts) {
    return counts >>> 16 & MAX_VIEWS;
  }

  private static boolean hasOwnView(int counts) {
    return counts < 0;
  }

  private int requireHeld() {
    int now = counts;
    if (holders(now) == 0) {
      throw released();
    }
    return now;
  }

  private void add(int one) {
    int now;
    do {
      now = requireHeld();
      if (one == ONE_HOLDER ? holders(now) == MAX_HOLDERS : views(now) == MAX_VIEWS) {
        throw new IllegalStateException(
            name() + " has " + holders(now) + " holders and " + views(now) + " views: is one never closed?");
      }
    } while (!COUNTS.compareAndSet(this, now, now + one));
  }

  /** Removes views, and a holder if there is one; returns whether none is left. */
  private boolean isLastAfter(int views, int holder) {
    int now;
    int left;
    do {
      now = counts;
      left = now - views - (holders(now) == 0 ? 0 : holder);
      if (left == now) {
        return false; // closed already
      }
    } while (!COUNTS.compareAndSet(this, now, left));
    return left == 0;
  }

  /**
   * Removes a holder, and ends this thread's {@code segment}s. The memory is released when no holder and no open view
   * is left; does nothing if it was released already.
   */
  @Override
  public void close() {
    int views = owner != null && endOwn() ? OWN_VIEW : 0;
    if (isLastAfter(views, ONE_HOLDER)) {
      release();
    }
  }

  /** Closes the arena if this is its thread. If its thread has ended, no thread can read through it any more. */
  private boolean endOwn() {
    Thread thread = owner;
    if (thread == Thread.currentThread()) {
      own.close();
    } else if (thread == null || thread.isAlive() || !OWNER.compareAndSet(this, thread, Thread.currentThread())) {
      return false;
    }
    OWN.setRelease(this, (Arena) null);
    OWNER.setRelease(this, (Thread) null);
    return true;
  }
}
