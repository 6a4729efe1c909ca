/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

/** A value that the engine would take, and with which this library does not promise that it works. */
public final class UnsupportedValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnsupportedValueException(String message) {
    super(message);
  }

  /** As it is thrown to somebody. */
  public IllegalArgumentException toUser(String hint) {
    return new IllegalArgumentException(getMessage() + hint);
  }
}
