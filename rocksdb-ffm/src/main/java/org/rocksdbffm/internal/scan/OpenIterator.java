/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.scan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.db.Child;
import org.rocksdbffm.internal.db.Parent;
import org.rocksdbffm.internal.foreign.Memory;
import org.rocksdbffm.internal.leak.Reclaimer;
import org.rocksdbffm.internal.leak.TrackedResource;
import org.rocksdbffm.internal.lifetime.Use;
import org.rocksdbffm.internal.read.ReadPath;

/**
 * A native iterator until it is closed: a child of its database, and the resource that is closed when its rows become
 * unreachable. One thread at a time has exclusive access; any thread may close, which waits for that access to end.
 *
 * <p>References its threads weakly. The database and the reclaimer reference this object, and a thread references
 * everything that its task does, even after its end: so a strong reference would keep unreachable rows reachable.
 */
final class OpenIterator extends Child implements TrackedResource {
  private static final boolean SEGMENTS_HOLD_SCOPE = Memory.segmentsHoldScope();

  /** The approximate size of an engine iterator, without the files that it retains. */
  private static final long ENGINES_WEIGHT = 16 << 10;

  final ReadPath path;
  private final Handle database;
  private final Parent parent;
  private final String kind;
  final NativeIterator iterator;
  private final long weight;

  private final Use use = new Use();

  // The views of the current large row, which belong to one thread while they are reachable. Used with exclusive access
  // and by the closing thread. From row to row, usually only the scope changes.
  private WeakReference<RowViews> views;
  private WeakReference<Thread> viewer;
  private WeakReference<MemorySegment.Scope> scope; // null while there are no views

  // Keeps the views until they are closed, if it is unknown whether segments are still reachable.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private Arena kept;

  /** {@code parent}: a database or transaction, which closes this before itself. */
  OpenIterator(ReadPath path, Parent parent, NativeIterator iterator, long bufferSize, String kind) {
    this.path = path;
    this.parent = parent;
    this.database = path.database().handle();
    this.iterator = iterator;
    this.weight = ENGINES_WEIGHT + bufferSize;
    this.kind = kind;
  }

  /**
   * Takes exclusive access; throws if the iterator is closed, or another thread has access. The caller has stack space
   * to end the access, for which a closing thread waits.
   */
  void begin() {
    if (use.tryBegin()) {
      return;
    }
    if (use.hasEnded()) {
      close(); // if the closing thread left it to this thread's views
      throw database.isClosed() ? database.closedException() : new IllegalStateException(name() + " is closed");
    }
    throw new IllegalStateException(name() + " is in use by another thread: it serves one at a time");
  }

  void end() {
    use.end();
  }

  /** Opens views of the row. Until they end, no other thread can move or destroy the iterator. */
  Arena beginViews(RowViews newViews) {
    endViews();
    Arena arena = Arena.ofConfined();
    if (views == null || !views.refersTo(newViews)) {
      views = new WeakReference<>(newViews);
    }
    if (viewer == null || !viewer.refersTo(Thread.currentThread())) {
      viewer = new WeakReference<>(Thread.currentThread());
    }
    newViews.arena = arena;
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

  /** Returns another live thread that can read views; null if absent. */
  private Thread otherViewer() {
    Thread thread = viewer.get();
    boolean isOther = thread != null && thread != Thread.currentThread() && thread.isAlive();
    return isOther && !scope.refersTo(null) ? thread : null;
  }

  /** Ends the calling thread's views; returns false if it can still read them. */
  private boolean endMyViews() {
    if (!viewer.refersTo(Thread.currentThread())) {
      return true;
    }
    RowViews lastViews = views.get();
    Arena arena = lastViews == null ? kept : lastViews.arena;
    if (arena != null) {
      arena.close();
    }
    return arena != null || scope.refersTo(null);
  }

  private void forgetViews() {
    scope = null;
    kept = null;
  }

  /** Destroys the iterator once its views are unreachable; never, if that cannot be known. */
  private void destroyWhenViewsAreGone() {
    MemorySegment.Scope reachable = scope.get();
    if (reachable == null) {
      iterator.destroy();
    } else if (SEGMENTS_HOLD_SCOPE) {
      Reclaimer.whenUnreachable(reachable, weight, iterator::destroy);
    }
  }

  /** Waits for the access in progress, and destroys the iterator; idempotent. */
  void close() {
    use.awaitEnd();
    destroyUnlessViewed();
    parent.unregister(this);
  }

  /**
   * Destroys the iterator, unless a thread still has views of its row. In that case the thread of the views destroys
   * the iterator at its next use of this object, or the collector once the views are unreachable. Until then the native
   * database is kept, as by a pinned value.
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
    return use.hasEnded();
  }

  @Override
  public String name() {
    return kind + " over " + path.family().handle();
  }
}
