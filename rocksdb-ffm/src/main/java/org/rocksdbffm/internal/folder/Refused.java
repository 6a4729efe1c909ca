/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.folder;

import java.io.IOException;
import org.rocksdbffm.internal.call.Status;

/** Thrown where a database is not opened or destroyed as asked, because data would be lost, or read wrongly. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final String advice;

  private Refused(String message, String advice) {
    super(message, null, false, false);
    this.advice = advice;
  }

  static Refused argument(String message, String advice) {
    return new Refused("Invalid argument: " + message, advice);
  }

  static Refused damage(String message, String advice) {
    return new Refused("Corruption: " + message, advice);
  }

  static Refused io(IOException e) {
    return io(e, "its folder was to be looked through before");
  }

  static Refused io(IOException e, String advice) {
    return new Refused("IO error: " + e.getMessage(), advice);
  }

  /** A step of work with a folder that may be refused. */
  public interface Step<T> {
    T take() throws Refused;
  }

  /** Takes a step, and throws what users see if it is refused. */
  public static <T> T settled(String tried, Step<T> step) {
    try {
      return step.take();
    } catch (Refused e) {
      throw Status.parse(e.getMessage(), tried + ": " + e.advice);
    }
  }

  /** The advice that goes with the message. */
  public String advice() {
    return advice;
  }
}
