/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

/** Says what is wrong with a table, or with what it is about; the build fails with it. */
final class RelinkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RelinkException(String message) {
    super(message);
  }
}
