/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import org.rocksdbffm.internal.loader.NativeLibrary;

/** The kinds of writes to a key or a range of keys. */
public enum Operation {
  PUT("put"),
  MERGE("merge"),
  DELETE("delete"),
  SINGLE_DELETE("singledelete"),
  DELETE_RANGE("delete_range");

  private static final long NO_VALUE = 0xffff_ffffL;

  // The addresses of the C functions that write to a database, and that append to a batch.
  final long write;
  final long append;

  /** Creates the operation from the part that the names of its C functions have. */
  Operation(String name) {
    write = NativeLibrary.find("rocksdb_" + name + "_cf").address();
    append = NativeLibrary.find("rocksdb_writebatch_" + name + "_cf").address();
  }

  boolean hasValue() {
    return this != DELETE && this != SINGLE_DELETE;
  }

  /** Returns the sizes of a key and of its value, if the operation has one, in one word for the stubs. */
  long sizes(int keyLength, int valueLength) {
    return (long) keyLength << Integer.SIZE | (hasValue() ? valueLength : NO_VALUE);
  }
}
