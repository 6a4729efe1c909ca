/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The table of the calls of the process, with the threads that are in them; a close looks through it. */
public final class CallTable {
  /** Where methods are that make calls: this library's, and the drop-in's {@code org.rocksdb}. */
  private static final String CODE_OF_CALLS = "org.rocksdb";

  private CallTable() {}

  /** How many are in flight. */
  static long inFlight() {
    return Arrays.stream(Call.all()).filter(Call::isInFlight).count();
  }

  /** The threads that are in calls. */
  public static Collection<Thread> threads() {
    List<Thread> threads = new ArrayList<>();
    for (Call call : Call.all()) {
      Thread last = call.owner();
      if (last != null && call.isInFlight()) {
        threads.add(last);
      }
    }
    return threads;
  }

  /** Whether any call in flight uses the handle with this id. */
  static boolean anyUses(long id) {
    for (Call call : Call.all()) {
      if (call.uses(id)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the thread that asks is within a call that uses the handle with this id. */
  static boolean isUsedByThisThread(long id) {
    Thread thread = Thread.currentThread();
    for (Call call : Call.all()) {
      if (call.uses(id) && call.owner() == thread) {
        return true;
      }
    }
    return false;
  }

  /**
   * Gives back the calls that use the handle with this id and that nobody is in any more. A thread whose stack
   * is full may fail in the very invocation of {@link Call#exit}, and no code of its own can make good for that.
   */
  static synchronized void giveBackLost(long id) {
    for (Call call : Call.all()) {
      if (call.uses(id) && isLost(call)) {
        call.exit();
      }
    }
  }

  /** Whether its thread is elsewhere, all in the same turn. */
  private static boolean isLost(Call call) {
    long taken = call.turn();
    Thread thread = call.owner();
    return (taken & 1) == 1 && isOutside(thread) && call.turn() == taken;
  }

  /** Nobody closes within a call of one's own, so the closer's thread is in none. */
  private static boolean isOutside(Thread thread) {
    if (thread == Thread.currentThread() || !thread.isAlive()) {
      return true;
    }
    StackTraceElement[] frames = thread.getStackTrace();
    for (StackTraceElement frame : frames) {
      if (frame.getClassName().startsWith(CODE_OF_CALLS)) {
        return false;
      }
    }
    return frames.length > 0;
  }

  /**
   * Forgets the threads that have ended since they took their calls: with a thread all that its task refers to would
   * stay reachable, and nobody could tell what of that was forgotten.
   */
  public static void forgetEndedThreads() {
    for (Call call : Call.all()) {
      Thread last = call.owner();
      if (last != null && !last.isAlive()) {
        call.forgetOwner();
      }
    }
  }
}
