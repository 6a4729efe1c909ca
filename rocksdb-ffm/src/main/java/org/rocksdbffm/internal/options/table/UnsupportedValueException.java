/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.options.table;

/** A value that RocksDB accepts, but this library does not promise to work with. */
public final class UnsupportedValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnsupportedValueException(String message) {
    super(message);
  }

  /** Returns the exception for the user, with a hint appended. */
  public IllegalArgumentException toUser(String hint) {
    return new IllegalArgumentException(getMessage() + hint);
  }
}
