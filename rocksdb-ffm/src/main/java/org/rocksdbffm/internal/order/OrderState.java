/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.order;

import org.rocksdbffm.internal.call.Reentrance;
import org.rocksdbffm.internal.callback.CallbackFrame;

/**
 * A thread's state for the comparators in Java that it runs: a question whose answer is doubted, answers that
 * must go together, and those that it gives once an order is lost. One thread.
 */
public final class OrderState {
  /** Has threads whose numbers follow each other begin to count far from each other. */
  private static final int SPREAD = 0x85ebca6b;

  private static final int KEYS_OF_TWO_QUESTIONS = 4;

  final FallbackAnswers fallback = new FallbackAnswers();
  private AnswerCache answers;

  // The keys of a question whose answer is doubted, with which those of the next question to the same order must fit.
  private KeySample doubtedKeys;
  private CheckedComparator doubted;

  // How often the order of keys was asked: from thread to thread it begins elsewhere.
  private int questions = (int) Thread.currentThread().threadId() * SPREAD;

  // Whether the engine may be looking at its files: one of its own threads, or a compaction for a user.
  private boolean amongFiles;

  // Whether it goes through the rows of a compaction, where it sorts no files.
  private boolean throughRows;

  // The database whose memtable it writes to a file.
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

  /** Runs what may have the engine look at its files in this thread. */
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

  /** The engine says of the thread that asks that it begins with the rows of a compaction, or has ended. */
  public static void goThroughRows(boolean begin) {
    of(CallbackFrame.outermost()).throughRows = begin;
  }

  boolean isThroughRows() {
    return throughRows;
  }

  /** The engine says of the thread that asks that it begins to write a memtable of a database, or of none any more. */
  public static void flush(Object database) {
    of(CallbackFrame.outermost()).flushed = database;
  }

  boolean isFlushing(Object database) {
    return flushed == database;
  }

  /** Of a question about the order of keys, which number it has among all of this thread. */
  int nextQuestion() {
    return questions++;
  }

  /** Begins to doubt an answer, with no keys yet. */
  void doubt(CheckedComparator order) {
    if (doubtedKeys == null) {
      doubtedKeys = new KeySample(KEYS_OF_TWO_QUESTIONS, KeySample.LONG);
    }
    doubtedKeys.clear();
    doubted = order;
  }

  /** Whether an answer of this order is doubted, for the last time. */
  boolean takeDoubted(CheckedComparator order) {
    if (doubted != order) {
      return false;
    }
    doubted = null;
    return true;
  }

  KeySample doubtedKeys() {
    return doubtedKeys;
  }

  AnswerCache answers() {
    if (answers == null) {
      answers = new AnswerCache();
    }
    return answers;
  }

}
