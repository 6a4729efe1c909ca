/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The table of the calls of the process, with the threads that are in them; a close looks through it. */
public final class CallTable {
  private static final String LIBRARY = CallTable.class.getPackageName().replace("internal.call", "");
  private static final String DROP_IN = "org.rocksdb.";

  private CallTable() {}

  /** How many are in flight: a thread that has ended is in none. */
  static long inFlight() {
    return threads().size();
  }

  /** The threads that are in calls. */
  public static Collection<Thread> threads() {
    List<Thread> threads = new ArrayList<>();
    for (Call call : Call.all()) {
      Thread last = call.owner();
      if (last != null && last.isAlive() && call.isInFlight()) {
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

  /**
   * Whether a thread has methods of this library on its stack and took a call that uses the handle with this id. In a full
   * heap the JVM may end a method without its finally: the call stays taken, and no thread is in it.
   */
  static boolean isAnyThreadIn(long id) {
    for (Call call : Call.all()) {
      Thread last = call.owner();
      if (call.uses(id) && last != null && isInLibrary(last)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the thread may be in a method of this library or of the drop-in, whose classes call C themselves. So may one whose
   * stack is cut off: it does not end where a thread begins.
   */
  private static boolean isInLibrary(Thread thread) {
    try {
      StackTraceElement[] stack = thread.getStackTrace();
      return stack.length > 0
          && (!stack[stack.length - 1].getClassName().matches("java\\.lang\\.(Virtual)?Thread")
              || Stream.of(stack).map(StackTraceElement::getClassName).anyMatch(CallTable::isLibrary));
    } catch (OutOfMemoryError unknown) {
      return true;
    }
  }

  private static boolean isLibrary(String type) {
    return type.startsWith(LIBRARY) || type.startsWith(DROP_IN);
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

  /** Whether the thread that asks is within another call than this one. */
  static boolean isThisThreadBeside(Call its) {
    Thread thread = Thread.currentThread();
    for (Call call : Call.all()) {
      if (call != its && call.owner() == thread && call.isInFlight()) {
        return true;
      }
    }
    return false;
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
