/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

/** The kinds of writes to a key or a range of keys. */
public enum Operation {
  PUT,
  MERGE,
  DELETE,
  SINGLE_DELETE,
  DELETE_RANGE
}
