/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import org.rocksdbffm.internal.c.RocksDbC;

/**
 * A kind of write, with the tags of its record in a batch (for the default family, and with a number), how many byte
 * strings it has, and its number in the stubs.
 */
public enum Operation {
  PUT(1, 5, 2, RocksDbC.ROCKSDB_FFM_PUT()),
  DELETE(0, 4, 1, RocksDbC.ROCKSDB_FFM_DELETE()),
  SINGLE_DELETE(7, 8, 1, RocksDbC.ROCKSDB_FFM_SINGLE_DELETE()),
  MERGE(2, 6, 2, RocksDbC.ROCKSDB_FFM_MERGE()),
  DELETE_RANGE(15, 14, 2, RocksDbC.ROCKSDB_FFM_DELETE_RANGE());

  final byte tag;
  final byte familyTag;
  final int strings;
  private final long kind;

  Operation(int tag, int familyTag, int strings, int kind) {
    this.tag = (byte) tag;
    this.familyTag = (byte) familyTag;
    this.strings = strings;
    this.kind = (long) kind << RocksDbC.ROCKSDB_FFM_KIND_SHIFT();
  }

  /** The word in which the stubs take the kind, with the size of the key. */
  long withKeySize(long size) {
    return kind | size;
  }
}
