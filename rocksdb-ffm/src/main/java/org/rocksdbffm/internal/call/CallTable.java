/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Queries over all calls of the process and their threads; used by closes. */
public final class CallTable {
  private static final String LIBRARY = CallTable.class.getPackageName().replace("internal.call", "");
  private static final String DROP_IN = "org.rocksdb.";

  private CallTable() {}

  /** Returns the number of calls in flight; calls of ended threads do not count. */
  static long inFlight() {
    return threads().size();
  }

  /** Returns the threads that are in calls. */
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

  /** Whether a call in flight uses the handle with this id. */
  static boolean anyUses(long id) {
    for (Call call : Call.all()) {
      if (call.uses(id)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a thread took a call that uses the handle with this id and still has methods of this library on its stack.
   * In a full heap the JVM may end a method without its finally block: the call stays taken, but no thread is in it.
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
   * Whether the thread may be in a method of this library or of the drop-in, whose classes call C themselves. True for
   * a truncated stack trace, whose last frame is not the start of a thread.
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

  /** Whether the calling thread is within a call that uses the handle with this id. */
  static boolean isUsedByThisThread(long id) {
    Thread thread = Thread.currentThread();
    for (Call call : Call.all()) {
      if (call.uses(id) && call.owner() == thread) {
        return true;
      }
    }
    return false;
  }

  /** Whether the calling thread is within a call other than {@code except}. */
  static boolean isThisThreadBeside(Call except) {
    Thread thread = Thread.currentThread();
    for (Call call : Call.all()) {
      if (call != except && call.owner() == thread && call.isInFlight()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Clears ended threads from their calls: a thread references everything that its task used, so leaks among these
   * objects would not be detected.
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
