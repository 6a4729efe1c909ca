/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.loader;

import java.lang.System.Logger.Level;

/**
 * Logs the library's messages. If the JDK's first logger is requested without free descriptors or heap, the process
 * loses all logging; such a message is printed to {@code System.err}. Thread-safe.
 */
public final class Warnings {
  /** The name of the logger. */
  public static final String LOGGER = "org.rocksdbffm";

  private static final Warnings OF_LOADER = new Warnings();

  private volatile boolean hasLogged;

  private Warnings() {}

  /** Logs a message; {@code thrown} may be null. */
  public static void log(Level level, String message, Throwable thrown) {
    OF_LOADER.logOrPrint(level, message, thrown);
  }

  private void logOrPrint(Level level, String message, Throwable thrown) {
    if (hasLogged || Spare.isThere()) {
      System.getLogger(LOGGER).log(level, message, thrown);
      hasLogged = true;
    } else {
      System.err.println(LOGGER + " " + level + ": " + message + (thrown == null ? "" : " (" + thrown + ")"));
    }
  }
}
