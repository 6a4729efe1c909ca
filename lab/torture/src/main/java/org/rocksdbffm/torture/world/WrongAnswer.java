/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

/** A result of the library differs from the model. */
public final class WrongAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WrongAnswer(String what) {
    super(what);
  }

  public WrongAnswer(String what, Throwable cause) {
    super(what, cause);
  }
}
