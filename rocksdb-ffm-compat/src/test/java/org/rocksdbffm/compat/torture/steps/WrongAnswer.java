/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture.steps;


/** Thrown if a database returns other data than was written. */
public final class WrongAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;
  public static final int EXIT = 97;
  public static final String SAYS = "WRONG: ";

  public WrongAnswer(String message) {
    super(message);
  }
}
