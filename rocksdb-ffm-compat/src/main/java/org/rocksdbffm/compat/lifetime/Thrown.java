/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.lifetime;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdbffm.internal.foreign.Upcalls;

/**
 * An exception that code of the program's threw into the engine, which has no place for it. It never decides: the engine
 * goes on with the answer that loses nothing, and the method of {@code org.rocksdb} that had the engine call fails when
 * it returns. Where the engine called by itself, or calls only to tell something, there is no such method, and the
 * exception is logged. One thread.
 */
public final class Thrown {
  private static final ThreadLocal<IllegalStateException> KEPT = new ThreadLocal<>();

  /** How many threads have one: all that a method pays for where there is none. */
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Thrown() {}

  /**
   * Keeps what was thrown for the method that this thread is in, and logs it if the thread is the engine's own.
   *
   * @param consequence what the engine was answered instead
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

  static void log(String message, Throwable thrown) {
    System.getLogger("org.rocksdbffm.compat").log(Level.WARNING, message, thrown);
  }

  /** The name of a callback's class; that of the superclass if the class is anonymous, as most are. */
  static String name(Object callback) {
    Class<?> type = callback.getClass();
    return (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
  }

  /** Throws what was kept for the method that this thread is in, which has ended apart from that. */
  static void report() {
    IllegalStateException thrown = take();
    if (thrown != null) {
      throw thrown;
    }
  }

  /** Takes the exception that was kept for the method that this thread is in; null mostly. */
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
