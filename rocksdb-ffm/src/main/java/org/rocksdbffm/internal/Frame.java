/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal;

/**
 * What a thread needs to run a callback, kept for its next one, so that calling Java allocates nothing. A callback
 * that is called while the thread runs another, of another database, has a frame of its own. One thread.
 */
public final class Frame {
  private static final PerThread<Frame> OUTERMOST = new PerThread<>();

  // Frames of threads that ran callbacks lately, so that most need not be looked up in their threads, which takes
  // longer than a comparison. Written without order: a frame says whose it is, and only that thread uses it.
  static final Frame[] RECENT = new Frame[256];

  /** Of two threads that have one place, how often the other looks up its own before it takes the place. */
  private static final int LOOK_UPS = 1024;

  /** Has threads whose numbers follow each other begin to count far from each other. */
  private static final int SPREAD = 0x85ebca6b;

  /** What the JVM keeps at the end of a stack, the engine's own frames, and a callback. */
  private static final long STACK_FOR_CALLS = 224 << 10;

  // Whether the process has ever had callbacks: the price that others pay for them is to look at this.
  private static final boolean[] LOOKED_FOR = new boolean[1];

  // The number of a thread, which is not kept by it, and which no other has.
  private final long owner = Thread.currentThread().threadId();

  // The number of the callback that runs, or 0. Not the callback, of which the collector would want to be told each time.
  private long running;

  private int lookUps;

  // How often the order of keys was asked: from thread to thread it begins elsewhere.
  private int questions = (int) owner * SPREAD;
  private Frame inner;
  private Object views;
  private final Disorder disorder = new Disorder();
  private Doubt doubt;
  private Recollection recollection;
  private Throwable thrown;

  // Whether the engine may be looking at its files: one of its own threads, or a compaction for a user.
  private boolean amongFiles;

  // Whether it goes through the rows of a compaction, where it sorts no files.
  private boolean throughRows;

  private Frame(boolean amongFiles) {
    this.amongFiles = amongFiles;
  }

  /** Whether the thread that asks has come to Java by a callback, and so is one of the engine's. */
  private static boolean isOfEngine() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames.reduce((inner, outer) -> outer))
        .filter(outermost -> Callback.class.isAssignableFrom(outermost.getDeclaringClass()))
        .isPresent();
  }

  static void haveThemLookedFor() {
    LOOKED_FOR[0] = true;
  }

  static boolean areLookedFor() {
    return LOOKED_FOR[0];
  }

  static Frame enter(Callback callback) {
    Frame frame = next();
    frame.running = callback.id();
    return frame;
  }

  /** The frame of the callback that this thread runs next. */
  static Frame next() {
    Frame frame = outermost();
    while (frame.running != 0) {
      if (frame.inner == null) {
        frame.inner = new Frame(false);
      }
      frame = frame.inner;
    }
    return frame;
  }

  /** Runs what may have the engine look at its files in this thread. */
  static void amongFiles(Runnable work) {
    if (!areLookedFor()) {
      work.run();
      return;
    }
    Frame frame = next();
    boolean before = frame.amongFiles;
    frame.amongFiles = true;
    try {
      work.run();
    } finally {
      frame.amongFiles = before;
    }
  }

  boolean isAmongFiles() {
    return amongFiles;
  }

  /** The engine says of the thread that asks that it begins with rows, or has ended. */
  static void goThroughRows(boolean begin) {
    outermost().throughRows = begin;
  }

  boolean isThroughRows() {
    return throughRows;
  }

  private static Frame outermost() {
    long thread = Thread.currentThread().threadId();
    Frame recent = RECENT[placeOf(thread)];
    return recent != null && recent.owner == thread ? recent : lookUp(thread);
  }

  private static int placeOf(long thread) {
    return (int) thread & RECENT.length - 1;
  }

  /** Threads that took the place from each other at each callback would have to fetch it from each other. */
  private static Frame lookUp(long thread) {
    Frame frame = OUTERMOST.get();
    if (frame == null) {
      frame = new Frame(isOfEngine());
      OUTERMOST.set(frame);
    }
    frame.lookUps++;
    int place = placeOf(thread);
    if (RECENT[place] == null || frame.lookUps % LOOK_UPS == 0) {
      RECENT[place] = frame;
    }
    return frame;
  }

  void exit() {
    running = 0;
  }

  /** What shows a callback its arguments; null at first. */
  public Object views() {
    return views;
  }

  public void views(Object made) {
    views = made;
  }

  /** Of a question about the order of keys, which number it has among all of this thread. */
  int nextQuestion() {
    return questions++;
  }

  /** What this thread doubted last; null at first. */
  Doubt doubt() {
    return doubt;
  }

  Doubt doubtable() {
    if (doubt == null) {
      doubt = new Doubt();
    }
    return doubt;
  }

  Recollection recollection() {
    if (recollection == null) {
      recollection = new Recollection();
    }
    return recollection;
  }

  Disorder disorder() {
    return disorder;
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
  public static void requireStack() {
    if (Critical.stackLeft() < STACK_FOR_CALLS) {
      throw new StackOverflowError("no room is left for the engine and what it calls back");
    }
  }

  /** Refuses what would wait for itself: a callback that uses the very database that has called it. */
  static void requireOutside(Handle handle) {
    for (Frame frame = outermost(); frame != null; frame = frame.inner) {
      if (frame.running != 0) {
        Callback callback = Callback.at(frame.running);
        Database database = callback.database();
        if (database != null && database.handle() == handle) {
          throw new IllegalStateException(
              handle + " cannot be used by the " + callback + ", which it calls and waits for");
        }
      }
    }
  }

  /** Whether the thread that asks runs a callback. */
  static boolean isAnyRunning() {
    return areLookedFor() && outermost().running != 0;
  }
}
