/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.write;

import org.rocksdbffm.internal.foreign.Codes;
import org.rocksdbffm.internal.format.RecordKind;

/** A kind of write, with its record kind in a batch and its number in the stubs. */
public enum Operation {
  PUT(RecordKind.PUT, Codes.PUT),
  DELETE(RecordKind.DELETE, Codes.DELETE),
  SINGLE_DELETE(RecordKind.SINGLE_DELETE, Codes.SINGLE_DELETE),
  MERGE(RecordKind.MERGE, Codes.MERGE),
  DELETE_RANGE(RecordKind.DELETE_RANGE, Codes.DELETE_RANGE),
  /** Written in batches, and not by the stubs for single writes. */
  PUT_ENTITY(RecordKind.ENTITY, 0);

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
    this.kind = (long) kind << Codes.KIND_SHIFT;
  }

  /** Returns the operation of a record kind; null if this library does not write it. */
  static Operation of(RecordKind record) {
    for (Operation operation : values()) {
      if (operation.record == record) {
        return operation;
      }
    }
    return null;
  }

  /** Returns the word that passes the kind and the key size to the stubs. */
  long withKeySize(long size) {
    return kind | size;
  }
}
