/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.torture;

/** Thrown where a database answers with something else than what was written. */
final class WrongAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;
  static final int EXIT = 97;
  static final String SAYS = "WRONG: ";

  WrongAnswer(String message) {
    super(message);
  }
}
