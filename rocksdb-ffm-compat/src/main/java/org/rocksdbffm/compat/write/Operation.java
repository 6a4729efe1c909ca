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
}
