/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.callback;

import org.rocksdbffm.internal.call.Handle;
import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.foreign.PerThread;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * The state that a thread needs to run a callback, kept for its next one, so that calling Java allocates nothing. A
 * callback that is called while the thread runs another, of another database, has a frame of its own. One thread.
 */
public final class CallbackFrame {
  private static final PerThread<CallbackFrame> OUTERMOST = new PerThread<>();

  // Frames of threads that ran callbacks lately, so that most need not be looked up in their threads, which takes
  // longer than a comparison. Written without order: a frame says whose it is, and only that thread uses it.
  static final CallbackFrame[] RECENT = new CallbackFrame[256];

  /** Of two threads that have one place, how often the other looks up its own before it takes the place. */
  private static final int LOOK_UPS = 1024;

  /** How calls learn of the callbacks of their thread. */
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

  // The number of a thread, which is not kept by it, and which no other has.
  private final long owner = Thread.currentThread().threadId();

  // The number of the callback that runs, or 0. Not the callback, of which the collector would want to be told each time.
  private long running;

  private int lookUps;

  private CallbackFrame inner;
  private Object views;
  private Object orderState;
  private Throwable thrown;

  // Whether its thread is one of the engine's.
  private final boolean ofEngine;

  private CallbackFrame(boolean ofEngine) {
    this.ofEngine = ofEngine;
  }

  public static CallbackFrame enter(Callback callback) {
    CallbackFrame frame = next();
    frame.running = callback.id();
    return frame;
  }

  /** The frame of the callback that this thread runs next. */
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

  /** Whether the thread is one of the engine's, and runs no callback within another. */
  public boolean isOfEngine() {
    return ofEngine;
  }

  /** The frame of a callback that is called by none. */
  public static CallbackFrame outermost() {
    long thread = Thread.currentThread().threadId();
    CallbackFrame recent = RECENT[placeOf(thread)];
    return recent != null && recent.owner == thread ? recent : lookUp(thread);
  }

  private static int placeOf(long thread) {
    return (int) thread & RECENT.length - 1;
  }

  /** Threads that took the place from each other at each callback would have to fetch it from each other. */
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

  /** The views that show a callback its arguments; null at first. */
  public Object views() {
    return views;
  }

  public void views(Object made) {
    views = made;
  }

  /** The thread's state for comparators in Java; null at first. */
  public Object orderState() {
    return orderState;
  }

  public void orderState(Object made) {
    orderState = made;
  }

  /** Keeps what a callback threw for the operation of this thread that fails by it. */
  void threw(Throwable failure) {
    thrown = failure;
  }

  /** Whether the thread that asks runs a callback. */
  public static boolean isAnyRunning() {
    return Reentrance.isPossible() && outermost().running != 0;
  }
}
