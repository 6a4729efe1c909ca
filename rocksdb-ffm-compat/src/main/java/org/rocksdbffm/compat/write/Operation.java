/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

/** The kinds of writes, to a key or to the keys from one to another. */
public enum Operation {
  PUT,
  MERGE,
  DELETE,
  SINGLE_DELETE,
  DELETE_RANGE
}
