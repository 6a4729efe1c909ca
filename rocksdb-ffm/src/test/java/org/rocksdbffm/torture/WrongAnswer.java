/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.torture;

/** The library answered what the model did not expect. */
final class WrongAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongAnswer(String what) {
    super(what);
  }

  WrongAnswer(String what, Throwable cause) {
    super(what, cause);
  }
}
