/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.rocksdbffm.internal.call.Status;
import org.rocksdbffm.internal.format.DatabaseFile;

/** A refusal to open, repair or destroy a database, because data would be lost or read incorrectly. */
public final class Refused extends IOException {
  private static final long serialVersionUID = 1;

  private final String advice;

  private Refused(String message, String advice) {
    super(message);
    this.advice = advice;
  }

  static Refused argument(String message, String advice) {
    return new Refused("Invalid argument: " + message, advice);
  }

  static Refused damage(String message, String advice) {
    return new Refused("Corruption: " + message, advice);
  }

  static Refused io(String message, String advice) {
    return new Refused("IO error: " + message, advice);
  }

  static Refused of(IOException e) {
    if (e instanceof DatabaseFile.Refusal refusal) {
      return argument(refusal.getMessage(), refusal.advice());
    }
    return e instanceof AccessDeniedException
        ? io(e.getMessage() + ": Permission denied", "let this process read the file, and write it if it opens the database for writing")
        : e instanceof Refused refused ? refused : io(e.getMessage(), "its folder could not be checked");
  }

  /** A step of work with a folder that may be refused. */
  public interface Step<T> {
    T take() throws IOException;
  }

  /** Runs a step; converts a refusal or I/O error to the user's exception. */
  public static <T> T settled(String tried, Step<T> step) {
    try {
      return step.take();
    } catch (IOException e) {
      throw toUser(tried, e);
    }
  }

  /** Returns the user's exception for a refusal or I/O error. */
  public static RuntimeException toUser(String tried, IOException e) {
    Refused refused = of(e);
    return Status.parse(refused.getMessage(), tried + ": " + refused.advice);
  }
}
