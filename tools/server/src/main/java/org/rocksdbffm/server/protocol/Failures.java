/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.server.protocol;

import org.rocksdbffm.PinLimitException;

/** The error messages for clients; an Error is handled like an exception. */
public final class Failures {
  private static final String NO_MEMORY = "OOM the server is out of memory: try again";

  private Failures() {}

  /** Returns the message for a failure; logs failures that the client did not cause. Never throws. */
  public static String errorReply(Throwable failure) {
    try {
      return switch (failure) {
        case RefusedRequest refused -> refused.getMessage();
        case PinLimitException limit -> "BUSY too much is on its way out: try again";
        case OutOfMemoryError none -> {
          Log.warn("out of memory", none);
          yield NO_MEMORY;
        }
        case IllegalArgumentException invalid -> "ERR " + invalid.getMessage();
        case IllegalStateException closed -> "ERR " + closed.getMessage();
        default -> {
          Log.warn("a command failed", failure);
          yield "ERR " + (failure instanceof Error ? failure : failure.getMessage());
        }
      };
    } catch (Throwable e) {
      return NO_MEMORY;
    }
  }
}
