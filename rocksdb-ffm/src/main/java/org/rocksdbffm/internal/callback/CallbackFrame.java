/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.foreign.PerThread;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * A thread's state for running callbacks, reused for each callback, so that calls into Java allocate nothing. A
 * callback that runs within a callback of another database has a separate frame. Used by one thread.
 */
public final class CallbackFrame {
  private static final PerThread<CallbackFrame> OUTERMOST = new PerThread<>();

  // Frames of threads that ran callbacks recently, because a comparison is faster than a lookup by thread. Read and
  // written without ordering: a frame knows its thread, and only that thread uses it.
  static final CallbackFrame[] RECENT = new CallbackFrame[256];

  /** If two threads share a slot, a thread replaces the other thread's frame once in this many lookups. */
  private static final int LOOK_UPS = 1024;

  /** Checks, for a call, whether its thread runs a callback. */
  static final Reentrance.Check CHECK =
      new Reentrance.Check() {
        @Override
        public void requireOutside(Handle handle) {
          for (CallbackFrame frame = outermost(); frame != null; frame = frame.inner) {
            if (frame.running != 0) {
              Callback callback = Callback.at(frame.running);
              CallbackOwner owner = callback.owner();
              if (owner != null && owner.handle() == handle) {
                throw new IllegalStateException(
                    handle + " cannot be used by the " + callback + ", which it calls and waits for");
              }
            }
          }
        }

        @Override
        public Throwable takeThrown() {
          CallbackFrame frame = outermost();
          Throwable taken = frame.thrown;
          frame.thrown = null;
          return taken;
        }
      };

  // The id of the frame's thread; the thread itself is not referenced, and ids are not reused.
  private final long owner = Thread.currentThread().threadId();

  // The id of the running callback, or 0. An id, because storing a reference needs a garbage collector barrier.
  private long running;

  private int lookUps;

  private CallbackFrame inner;
  private Object views;
  private Object orderState;
  private Throwable thrown;

  // Whether the thread belongs to the engine.
  private final boolean ofEngine;

  private CallbackFrame(boolean ofEngine) {
    this.ofEngine = ofEngine;
  }

  public static CallbackFrame enter(Callback callback) {
    CallbackFrame frame = next();
    frame.running = callback.id();
    return frame;
  }

  /** Returns the frame for the next callback of this thread. */
  public static CallbackFrame next() {
    CallbackFrame frame = outermost();
    while (frame.running != 0) {
      if (frame.inner == null) {
        frame.inner = new CallbackFrame(false);
      }
      frame = frame.inner;
    }
    return frame;
  }

  /** Whether the thread belongs to the engine, and the callback is the outermost one. */
  public boolean isOfEngine() {
    return ofEngine;
  }

  /** Returns the frame for the outermost callback of this thread. */
  public static CallbackFrame outermost() {
    long thread = Thread.currentThread().threadId();
    CallbackFrame recent = RECENT[placeOf(thread)];
    return recent != null && recent.owner == thread ? recent : lookUp(thread);
  }

  private static int placeOf(long thread) {
    return (int) thread & RECENT.length - 1;
  }

  /**
   * Returns the thread's frame, and rarely replaces another thread's frame in the cache: if two threads replaced each
   * other's frame at each callback, the cache line would move between their cores each time.
   */
  private static CallbackFrame lookUp(long thread) {
    CallbackFrame frame = OUTERMOST.get();
    if (frame == null) {
      frame = new CallbackFrame(Upcalls.isThreadOfEngine());
      OUTERMOST.set(frame);
    }
    frame.lookUps++;
    int place = placeOf(thread);
    if (RECENT[place] == null || frame.lookUps % LOOK_UPS == 0) {
      RECENT[place] = frame;
    }
    return frame;
  }

  public void exit() {
    running = 0;
  }

  /** Returns the views that pass arguments to callbacks; null at first. */
  public Object views() {
    return views;
  }

  public void views(Object made) {
    views = made;
  }

  /** Returns the thread's state for Java comparators; null at first. */
  public Object orderState() {
    return orderState;
  }

  public void orderState(Object made) {
    orderState = made;
  }

  /** Stores what a callback threw, as the cause of the failure of this thread's operation. */
  void threw(Throwable failure) {
    thrown = failure;
  }

  /** Whether the calling thread runs a callback. */
  public static boolean isAnyRunning() {
    return Reentrance.isPossible() && outermost().running != 0;
  }
}
