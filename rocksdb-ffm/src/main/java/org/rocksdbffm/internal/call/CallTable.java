/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.call;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The table of the calls of the process, with the threads that are in them; a close looks through it. */
public final class CallTable {
  /** The names of the classes of the library begin with this, also where they are relocated. */
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
   * Whether a thread may be in a call that uses the handle with this id. A method of the library is on the stack of a thread
   * that is, and no code of the user's lies above it, unless a callback runs.
   */
  static boolean anyIsWithin(long id) {
    for (Call call : Call.all()) {
      Thread last = call.owner();
      if (call.uses(id) && last != null && mayBeWithin(last)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayBeWithin(Thread thread) {
    List<String> classes = Stream.of(thread.getStackTrace()).map(StackTraceElement::getClassName).toList();
    if (thread != Thread.currentThread()) {
      return classes.isEmpty() ? thread.isAlive() : classes.stream().anyMatch(CallTable::isOfLibrary);
    }
    // The frames of the close itself, up to those of its caller, are not within a call.
    return classes.stream().dropWhile(its -> isOfLibrary(its) || isOfJdk(its)).anyMatch(CallTable::isOfLibrary);
  }

  private static boolean isOfLibrary(String className) {
    return className.startsWith(LIBRARY) || className.startsWith(DROP_IN);
  }

  private static boolean isOfJdk(String className) {
    return className.startsWith("java.") || className.startsWith("jdk.");
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
