/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import org.rocksdbffm.internal.c.RocksDbC;
import org.rocksdbffm.internal.format.RecordKind;

/** A kind of write, with the kind of its record in a batch, and its number in the stubs. */
public enum Operation {
  PUT(RecordKind.PUT, RocksDbC.ROCKSDB_FFM_PUT()),
  DELETE(RecordKind.DELETE, RocksDbC.ROCKSDB_FFM_DELETE()),
  SINGLE_DELETE(RecordKind.SINGLE_DELETE, RocksDbC.ROCKSDB_FFM_SINGLE_DELETE()),
  MERGE(RecordKind.MERGE, RocksDbC.ROCKSDB_FFM_MERGE()),
  DELETE_RANGE(RecordKind.DELETE_RANGE, RocksDbC.ROCKSDB_FFM_DELETE_RANGE());

  final RecordKind record;
  final byte tag;
  final byte familyTag;
  final int strings;
  private final long kind;

  Operation(RecordKind record, int kind) {
    this.record = record;
    this.tag = (byte) record.tag();
    this.familyTag = (byte) record.familyTag();
    this.strings = record.strings();
    this.kind = (long) kind << RocksDbC.ROCKSDB_FFM_KIND_SHIFT();
  }

  /** Null for a kind of record that this library does not write. */
  static Operation of(RecordKind record) {
    for (Operation operation : values()) {
      if (operation.record == record) {
        return operation;
      }
    }
    return null;
  }

  /** The word in which the stubs take the kind, with the size of the key. */
  long withKeySize(long size) {
    return kind | size;
  }
}
