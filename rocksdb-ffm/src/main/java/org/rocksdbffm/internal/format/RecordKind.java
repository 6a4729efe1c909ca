/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.internal.format;

/**
 * The kinds of records in a write batch, with their tags for the default and for other column families, and their
 * number of byte strings. Kinds that occur only in tables are missing.
 */
public enum RecordKind {
  DELETE(0x0, 0x4, 1),
  PUT(0x1, 0x5, 2),
  MERGE(0x2, 0x6, 2),
  SINGLE_DELETE(0x7, 0x8, 1),
  DELETE_RANGE(0xf, 0xe, 2),
  BLOB(0x11, 0x10, 2),
  ENTITY(0x16, 0x17, 2),
  TIMED_PUT(0x18, 0x19, 2),
  LOG_DATA(0x3, 1),
  NOTHING(0xd, 0),
  BEGIN_PREPARE(0x9, 0),
  BEGIN_PERSISTED_PREPARE(0x12, 0),
  BEGIN_UNPREPARE(0x13, 0),
  END_PREPARE(0xa, 1),
  COMMIT(0xb, 1),
  COMMIT_AT_TIME(0x15, 2),
  ROLLBACK(0xc, 1);

  private static final int NONE = -1;
  private static final RecordKind[] BY_TAG = new RecordKind[0x1a];

  static {
    for (RecordKind kind : values()) {
      BY_TAG[kind.tag] = kind;
      if (kind.familyTag != NONE) {
        BY_TAG[kind.familyTag] = kind;
      }
    }
  }

  private final int tag;
  private final int familyTag;
  private final int strings;

  RecordKind(int tag, int familyTag, int strings) {
    this.tag = tag;
    this.familyTag = familyTag;
    this.strings = strings;
  }

  RecordKind(int tag, int strings) {
    this(tag, NONE, strings);
  }

  /** Returns the tag for the default column family. */
  public int tag() {
    return tag;
  }

  /** Returns the tag for other column families, whose id follows. */
  public int familyTag() {
    return familyTag;
  }

  public int strings() {
    return strings;
  }

  /** Returns the kind with a tag; null if it is unknown. */
  static RecordKind of(int tag) {
    return tag < BY_TAG.length ? BY_TAG[tag] : null;
  }

  /** Whether it writes to a column family. */
  public boolean isWrite() {
    return familyTag != NONE;
  }

  /** Whether the writes after it, up to {@link #END_PREPARE}, take effect only at the transaction's commit. */
  public boolean isBegin() {
    return this == BEGIN_PREPARE || this == BEGIN_PERSISTED_PREPARE || this == BEGIN_UNPREPARE;
  }

  public boolean isCommit() {
    return this == COMMIT || this == COMMIT_AT_TIME;
  }

  /** Whether it belongs to a prepared transaction. */
  public boolean isOfTwoPhases() {
    return ordinal() >= BEGIN_PREPARE.ordinal();
  }
}
