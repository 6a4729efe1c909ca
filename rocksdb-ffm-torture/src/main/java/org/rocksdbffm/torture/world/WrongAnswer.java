/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture.world;

/** The library answered what the model did not expect. */
public final class WrongAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;

  public WrongAnswer(String what) {
    super(what);
  }

  public WrongAnswer(String what, Throwable cause) {
    super(what, cause);
  }
}
