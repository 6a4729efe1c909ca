/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Database;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.leak.TrackedResource;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * A native iterator until it is closed: a child of its database, and what is reclaimed when its rows are forgotten. One
 * thread has a turn with it at a time, and any thread may close: that waits for the turn to end.
 *
 * <p>It refers to its threads weakly. The database and the reclaimer hold it, and a thread holds all that its task refers
 * to, after its end too: so rows that nobody can reach would be reachable by the thread that used them.
 */
final class OpenIterator extends Child implements TrackedResource {
  static final int IDLE = 0;
  private static final int BUSY = 1;
  private static final int CLOSED = 2;
  private static final VarHandle STATE;

  private static final boolean SEGMENTS_HOLD_SCOPE = Memory.segmentsHoldScope();
  private static final long PARKED_NANOS = 20_000;

  /** About what the engine's iterator takes, beside the files that it keeps. */
  private static final long ENGINES_WEIGHT = 16 << 10;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(OpenIterator.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final ReadPath path;
  private final Handle database;
  private final Parent parent;
  private final String kind;
  final NativeIterator iterator;
  private final long weight;

  /**
   * Set to {@link #IDLE} by a turn that failed, as a field, without a call: a thread whose stack is full cannot make one,
   * and a thread that closes waits for the turn to end.
   */
  volatile int state = IDLE;

  // The views of the current row, if it is a large one, which one thread has for as long as they can be reached. Used by the
  // thread that has the turn, and by the one that closes. All but the scope are the same from row to row, mostly.
  private WeakReference<RowViews> views;
  private WeakReference<Thread> viewer;
  private WeakReference<MemorySegment.Scope> scope; // null while there are none

  // Where nobody knows when segments are gone, they are there until they are closed.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private Arena kept;

  /** One whose parent, a database or a transaction, closes it before itself. */
  OpenIterator(ReadPath path, Parent parent, NativeIterator iterator, long bufferSize, String kind) {
    this.path = path;
    this.parent = parent;
    this.database = path.database().handle();
    this.iterator = iterator;
    this.weight = ENGINES_WEIGHT + bufferSize;
    this.kind = kind;
  }

  /** Takes the turn, or throws because it is closed, or another thread's. */
  void begin() {
    if (STATE.compareAndSet(this, IDLE, BUSY)) {
      return;
    }
    if (state == CLOSED) {
      close(); // if it was left to this thread's views
      throw database.isClosed() ? database.closedException() : new IllegalStateException(name() + " is closed");
    }
    throw new IllegalStateException(name() + " is in use by another thread: it serves one at a time");
  }

  /** Ends a turn that went well; for the others see {@link #state}. */
  void end() {
    STATE.setRelease(this, IDLE);
  }

  /** Opens views of the row; until they end no other thread can move the iterator, nor destroy it. */
  Arena beginViews(RowViews its) {
    endViews();
    Arena arena = Arena.ofConfined();
    if (views == null || !views.refersTo(its)) {
      views = new WeakReference<>(its);
    }
    if (viewer == null || !viewer.refersTo(Thread.currentThread())) {
      viewer = new WeakReference<>(Thread.currentThread());
    }
    its.arena = arena;
    kept = SEGMENTS_HOLD_SCOPE ? null : arena;
    scope = new WeakReference<>(arena.scope());
    return arena;
  }

  /** Ends the views of the row; throws if another thread has them. */
  void endViews() {
    if (scope != null) {
      Thread other = otherViewer();
      if (other != null) {
        throw new IllegalStateException(
            name()
                + ": thread '"
                + other.getName()
                + "' holds views of the current row; it must call releaseRow() first");
      }
      endMyViews();
      forgetViews();
    }
  }

  /** The thread beside this one that can read views; null for a thread that ended. */
  private Thread otherViewer() {
    Thread thread = viewer.get();
    boolean isOther = thread != null && thread != Thread.currentThread() && thread.isAlive();
    return isOther && !scope.refersTo(null) ? thread : null;
  }

  /** Ends the views of the calling thread; false if it can read them still. */
  private boolean endMyViews() {
    if (!viewer.refersTo(Thread.currentThread())) {
      return true;
    }
    RowViews its = views.get();
    Arena mine = its == null ? kept : its.arena;
    if (mine != null) {
      mine.close();
    }
    return mine != null || scope.refersTo(null);
  }

  private void forgetViews() {
    scope = null;
    kept = null;
  }

  /** Destroys the iterator when nobody can read its views any more, or never, where nobody can tell. */
  private void destroyWhenViewsAreGone() {
    MemorySegment.Scope reachable = scope.get();
    if (reachable == null) {
      iterator.destroy();
    } else if (SEGMENTS_HOLD_SCOPE) {
      Reclaimer.whenUnreachable(reachable, weight, iterator::destroy);
    }
  }

  /** Waits for the turn in progress, refuses others, and destroys the iterator; idempotent. */
  void close() {
    while (state != CLOSED && !STATE.compareAndSet(this, IDLE, CLOSED)) {
      Thread.yield(); // an interrupted thread does not park
      LockSupport.parkNanos(PARKED_NANOS);
    }
    destroyUnlessViewed();
    parent.unregister(this);
  }

  /**
   * Destroys the iterator, unless a thread still has views of its row: then that thread will, at its next
   * use of this object, or the collector, if the thread forgets it and its views. Until then the native
   * database is kept as for a pinned value.
   */
  private synchronized void destroyUnlessViewed() {
    if (scope == null || otherViewer() == null && endMyViews()) {
      forgetViews();
      iterator.destroy();
    } else if (iterator.keep()) {
      destroyWhenViewsAreGone();
    }
  }

  @Override
  public void closeByParent() {
    close();
  }

  @Override
  public void closeForgotten() {
    close();
  }

  @Override
  public long weight() {
    return weight;
  }

  @Override
  public boolean isClosed() {
    return state == CLOSED;
  }

  @Override
  public String name() {
    return kind + " over " + path.family().handle();
  }
}
