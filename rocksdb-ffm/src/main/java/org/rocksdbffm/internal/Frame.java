/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

import java.util.Arrays;

/**
 * What a thread needs to run a callback, kept for its next one, so that calling Java allocates nothing. A callback
 * that is called while the thread runs another, of another database, has a frame of its own. One thread.
 */
public final class Frame {
  private static final ThreadLocal<Frame> OUTERMOST = ThreadLocal.withInitial(Frame::new);

  // Frames of threads that ran callbacks lately, so that most need not be looked up in their threads, which takes
  // longer than a comparison. Written without order: a frame says whose it is, and only that thread uses it.
  private static final Frame[] RECENT = new Frame[64];

  /** What the JVM keeps at the end of a stack, the engine's own frames, and a callback. */
  private static final long STACK_FOR_CALLS = 224 << 10;

  private static final int IN_ORDER = -1;
  private static final int MOST_REPEATED = 2;

  // Whether the process has ever had callbacks: the price that others pay for them is to look at this.
  private static final boolean[] LOOKED_FOR = new boolean[1];

  // The number of a thread, which is not kept by it, and which no other has.
  private final long owner = Thread.currentThread().threadId();
  private Callback running;
  private Frame inner;
  private Object views;
  private Throwable thrown;

  // The last two keys that were compared, and for how many comparisons in disorder one of them has been in its place.
  private long lastA;
  private long lastB;
  private byte[] lastKeyA;
  private byte[] lastKeyB;
  private int repeated = IN_ORDER;

  private Frame() {}

  static void haveThemLookedFor() {
    LOOKED_FOR[0] = true;
  }

  static boolean areLookedFor() {
    return LOOKED_FOR[0];
  }

  static Frame enter(Callback callback) {
    Frame frame = outermost();
    while (frame.running != null) {
      if (frame.inner == null) {
        frame.inner = new Frame();
      }
      frame = frame.inner;
    }
    frame.running = callback;
    return frame;
  }

  private static Frame outermost() {
    long thread = Thread.currentThread().threadId();
    int place = (int) thread & (RECENT.length - 1);
    Frame recent = RECENT[place];
    if (recent == null || recent.owner != thread) {
      recent = OUTERMOST.get();
      RECENT[place] = recent;
    }
    return recent;
  }

  void exit() {
    running = null;
  }

  /** What shows a callback its arguments; null at first. */
  public Object views() {
    return views;
  }

  public void views(Object made) {
    views = made;
  }

  /** Remembers two keys that were compared in their order. */
  void compared(long a, long b) {
    lastA = a;
    lastB = b;
    repeated = IN_ORDER;
  }

  /**
   * The first key is the smaller one, but not if that goes on. An algorithm that sorts goes along its array for as long
   * as one key is smaller than the next, or the next smaller than the one, and does not look for the array's end. So
   * where it was when the order was lost it stops at once, and elsewhere after two.
   */
  int disorder(long a, byte[] keyA, long b, byte[] keyB) {
    if (repeated == IN_ORDER) {
      repeated = a == lastA || b == lastB || a == lastB || b == lastA ? MOST_REPEATED : 0;
    } else if (a == lastA && Arrays.equals(keyA, lastKeyA) || b == lastB && Arrays.equals(keyB, lastKeyB)) {
      repeated = Math.min(repeated + 1, MOST_REPEATED);
    } else {
      repeated = 0;
    }
    lastA = a;
    lastB = b;
    lastKeyA = keyA;
    lastKeyB = keyB;
    return repeated < MOST_REPEATED ? -1 : 1;
  }

  /** Keeps what a callback threw for the operation of this thread that fails by it. */
  void threw(Throwable failure) {
    thrown = failure;
  }

  /** What a callback of this thread threw and no operation has reported yet; null mostly. */
  static Throwable takeThrown() {
    if (!areLookedFor()) {
      return null;
    }
    Frame frame = outermost();
    Throwable taken = frame.thrown;
    frame.thrown = null;
    return taken;
  }

  /**
   * Fails where the JVM would fail: it has no answer to a stack that ends as the engine calls back, and ends the
   * process.
   */
  static void requireStack() {
    if (Critical.stackLeft() < STACK_FOR_CALLS) {
      throw new StackOverflowError("no room is left for the engine and what it calls back");
    }
  }

  /** Refuses what would wait for itself: a callback that uses the very database that has called it. */
  static void requireOutside(Handle handle) {
    for (Frame frame = outermost(); frame != null; frame = frame.inner) {
      if (frame.running != null) {
        Database database = frame.running.database();
        if (database != null && database.handle() == handle) {
          throw new IllegalStateException(
              handle + " cannot be used by the " + frame.running + ", which it calls and waits for");
        }
      }
    }
  }

  /** Whether the thread that asks runs a callback. */
  static boolean isAnyRunning() {
    return areLookedFor() && outermost().running != null;
  }
}
