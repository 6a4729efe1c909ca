/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The lifetime of memory that is pinned in the engine: it is released once nobody holds it and no view of it is
 * open. Holders come and go on any thread; a view belongs to one thread and keeps the memory whatever the
 * holders do, so no view ever shows memory that is gone.
 */
abstract sealed class Pinned implements AutoCloseable permits PinnedValue, PinnedValues {
  // Two counts in one word, to keep the object small: holders below, open views above, and in the sign whether there is
  // the view that needs no closing of its own. All at zero release.
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

  // The view that needs no closing of its own: a close by the thread that it is confined to ends it. The owner
  // sets it, after it became the owner, and clears it before it ceases to be. Others need to see that in this
  // order, but not at once, so what is written has no fence of its own.
  private volatile Arena own;
  private volatile Thread owner;

  /** Gives the memory back to the engine; called once. */
  abstract void release();

  /** The kind of object and where it lives, for messages. */
  abstract String name();

  /** The arena of the first thread that asks; it ends when that thread closes this object. */
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

  /** Another thread asked at the same time: its arena is there in a moment, or gone again. */
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
      throw new IllegalStateException("a view of a " + viewed.name() + " is closed");
    }
  }

  /** A view will be opened, if there is a holder. */
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

  /** Takes views back, and a holder if there is one; true if that leaves nobody. */
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
   * Lets go of one hold, and ends this thread's {@code segment}s. The memory goes back to the engine when
   * nobody holds it and no view is open; closing what was released already does nothing.
   */
  @Override
  public void close() {
    int views = owner != null && endOwn() ? OWN_VIEW : 0;
    if (isLastAfter(views, ONE_HOLDER)) {
      release();
    }
  }

  /** Only its thread can close an arena; where that has ended, nobody can read through it any more. */
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
