/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.relinker;

/** An error in a table, or in its match with the classes. Fails the build. */
final class RelinkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RelinkException(String message) {
    super(message);
  }
}
