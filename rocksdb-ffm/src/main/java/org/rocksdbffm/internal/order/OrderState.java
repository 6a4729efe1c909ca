/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.callback.CallbackFrame;

/**
 * A thread's state for Java comparators: a question to check, cached answers, and the answers after a failure. Used by
 * one thread.
 */
public final class OrderState {
  /** Makes threads with consecutive ids start far from each other. */
  private static final int SPREAD = 0x85ebca6b;

  private static final int KEYS_OF_TWO_QUESTIONS = 4;

  final FallbackAnswers fallback = new FallbackAnswers();
  private AnswerCache answers;

  // The keys of the question to check, with which the keys of the next question to the same comparator must be
  // consistent.
  private KeySample questionedKeys;
  private CheckedComparator questioned;

  // The number of questions so far; each thread starts at a different number.
  private int questions = (int) Thread.currentThread().threadId() * SPREAD;

  // Whether the engine may be sorting files: on its own threads, or in a user's compaction.
  private boolean amongFiles;

  // Whether the engine reads the rows of a compaction, and sorts no files.
  private boolean throughRows;

  // The database whose memtable is being flushed.
  private Object flushed;

  private OrderState(boolean amongFiles) {
    this.amongFiles = amongFiles;
  }

  static OrderState of(CallbackFrame frame) {
    if (frame.orderState() instanceof OrderState state) {
      return state;
    }
    OrderState made = new OrderState(frame.isOfEngine());
    frame.orderState(made);
    return made;
  }

  /** Runs work in which the engine may sort files on this thread. */
  public static void amongFiles(Runnable work) {
    if (!Reentrance.isPossible()) {
      work.run();
      return;
    }
    OrderState state = of(CallbackFrame.next());
    boolean before = state.amongFiles;
    state.amongFiles = true;
    try {
      work.run();
    } finally {
      state.amongFiles = before;
    }
  }

  boolean isAmongFiles() {
    return amongFiles;
  }

  /** Called by the engine when the calling thread starts or ends reading the rows of a compaction. */
  public static void goThroughRows(boolean begin) {
    of(CallbackFrame.outermost()).throughRows = begin;
  }

  boolean isThroughRows() {
    return throughRows;
  }

  /** Called by the engine when the calling thread starts a flush of {@code database}; null when it ends. */
  public static void flush(Object database) {
    of(CallbackFrame.outermost()).flushed = database;
  }

  boolean isFlushing(Object database) {
    return flushed == database;
  }

  /** Returns the number of this thread's next question about key order. */
  int nextQuestion() {
    return questions++;
  }

  /** Starts the check of an answer, with no keys yet. */
  void question(CheckedComparator order) {
    if (questionedKeys == null) {
      questionedKeys = new KeySample(KEYS_OF_TWO_QUESTIONS, KeySample.LONG);
    }
    questionedKeys.clear();
    questioned = order;
  }

  /** Returns whether an answer of this comparator was being checked, and ends the check. */
  boolean takeDoubted(CheckedComparator order) {
    if (questioned != order) {
      return false;
    }
    questioned = null;
    return true;
  }

  KeySample questionedKeys() {
    return questionedKeys;
  }

  AnswerCache answers() {
    if (answers == null) {
      answers = new AnswerCache();
    }
    return answers;
  }

}
