/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.callback;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * Exceptions that Java callbacks throw, which the engine cannot propagate. The engine gets the result with which it
 * loses no data, and the {@code org.rocksdb} method that triggered the callback throws the exception at its end. If no
 * method triggered the callback, because a background thread runs it, or the callback is a notification without a
 * result, the exception is logged. Stored per thread.
 */
public final class Thrown {
  private static final ThreadLocal<IllegalStateException> KEPT = new ThreadLocal<>();

  /** The number of threads with a stored exception, so that a method without one reads only this counter. */
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Thrown() {}

  /**
   * Stores an exception for the enclosing method of the current thread, or logs it on a thread of the engine.
   *
   * @param consequence the answer that the engine got instead
   */
  public static void keep(Object callback, Throwable thrown, String consequence) {
    String message = "the " + name(callback) + " threw: " + consequence;
    if (Upcalls.isThreadOfEngine()) {
      log(message, thrown);
      return;
    }
    IllegalStateException kept = KEPT.get();
    if (kept == null) {
      KEPT.set(new IllegalStateException(message, thrown));
      COUNT.incrementAndGet();
    } else if (kept.getCause() != thrown) {
      kept.addSuppressed(thrown);
    }
  }

  public static void log(String message, Throwable thrown) {
    System.getLogger("org.rocksdbffm.compat").log(Level.WARNING, message, thrown);
  }

  /** Returns the simple name of a callback's class, or of the superclass of an anonymous class. */
  public static String name(Object callback) {
    Class<?> type = callback.getClass();
    return (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
  }

  /** Throws the stored exception, at the end of the method that triggered the callback. */
  public static void report() {
    IllegalStateException thrown = take();
    if (thrown != null) {
      throw thrown;
    }
  }

  /** Removes and returns the stored exception of the current thread; null if none. */
  public static IllegalStateException take() {
    if (COUNT.get() == 0) {
      return null;
    }
    IllegalStateException kept = KEPT.get();
    if (kept != null) {
      KEPT.remove();
      COUNT.decrementAndGet();
    }
    return kept;
  }
}
