/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.options;

import org.rocksdbffm.internal.foreign.Memory;

/**
 * Passes family options to C functions that take full options. In the engine, full options start with the database
 * options, followed by the family options. So the address of family options minus an offset acts as full options, for
 * functions that access only family fields. The offset, and the offsets of fields, are found once: by setting a field
 * with the engine's functions, and searching memory for its value.
 */
public final class FamilyOptions {
  /** A value that no other field is likely to have. The next higher value is used too. */
  private static final long MARK = 0x5ca1ab1e_0ff1cL;

  private static final long MOST_WORDS = 1024;

  /** The offset of family options in full options. */
  private static final long OFFSET = offset();

  /** The offset of the merge operator, a std::shared_ptr of two words, in family options. */
  private static final long MERGE_OPERATOR = mergeOperator();

  private FamilyOptions() {}

  /** Returns a pointer for C functions that access only family fields. */
  static long asOptions(long familyOptions) {
    return familyOptions - OFFSET;
  }

  /** Returns the family options inside full options. */
  public static long within(long options) {
    return options + OFFSET;
  }

  public static boolean hasMergeOperator(long familyOptions) {
    return Memory.longAt(familyOptions + MERGE_OPERATOR) != 0;
  }

  /** Swaps the merge operators of two families' options, or of options and a separate shared pointer. */
  static void swapMergeOperator(long familyOptions, long other, boolean isOptions) {
    swap(familyOptions + MERGE_OPERATOR, isOptions ? other + MERGE_OPERATOR : other);
  }

  /** Swaps two shared pointers, of two words each. */
  static void swap(long one, long other) {
    for (long word = 0; word < 2 * Long.BYTES; word += Long.BYTES) {
      long mine = Memory.longAt(one + word);
      Memory.longTo(one + word, Memory.longAt(other + word));
      Memory.longTo(other + word, mine);
    }
  }

  private static long offset() {
    long whole = rocksdb_options_create();
    long family = Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptions();
    try {
      rocksdb_options_set_write_buffer_size(whole, MARK);
      Java_org_rocksdb_ColumnFamilyOptions_setWriteBufferSize(family, MARK);
      long offset = find(whole, MARK) - find(family, MARK);
      // Verified with another field, in the opposite direction.
      rocksdb_options_set_max_compaction_bytes(family - offset, MARK + 1);
      if (Java_org_rocksdb_ColumnFamilyOptions_maxCompactionBytes(family) != MARK + 1) {
        throw new IllegalStateException("the engine's options are laid out in another way than was found");
      }
      return offset;
    } finally {
      Java_org_rocksdb_ColumnFamilyOptions_disposeInternalJni(family);
      rocksdb_options_destroy(whole);
    }
  }

  private static long mergeOperator() {
    long family = Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptions();
    long operator = Java_org_rocksdb_UInt64AddOperator_newSharedUInt64AddOperator();
    try {
      Java_org_rocksdb_ColumnFamilyOptions_setMergeOperator(family, operator);
      return find(family, Memory.pointer(Memory.at(operator, Long.BYTES), 0));
    } finally {
      Java_org_rocksdb_UInt64AddOperator_disposeInternalJni(operator);
      Java_org_rocksdb_ColumnFamilyOptions_disposeInternalJni(family);
    }
  }

  /** Returns the offset of a word in an object that contains it. */
  static long find(long object, long word) {
    for (long i = 0; i < MOST_WORDS; i++) {
      if (Memory.pointer(Memory.at(object + i * Long.BYTES, Long.BYTES), 0) == word) {
        return i * Long.BYTES;
      }
    }
    throw new IllegalStateException("the engine's options have not the field that they are known to have");
  }

  private static native long rocksdb_options_create();

  private static native void rocksdb_options_destroy(long options);

  private static native void rocksdb_options_set_write_buffer_size(long options, long size);

  private static native void rocksdb_options_set_max_compaction_bytes(long options, long size);

  private static native long Java_org_rocksdb_ColumnFamilyOptions_newColumnFamilyOptions();

  private static native void Java_org_rocksdb_ColumnFamilyOptions_disposeInternalJni(long options);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setWriteBufferSize(long options, long size);

  private static native long Java_org_rocksdb_ColumnFamilyOptions_maxCompactionBytes(long options);

  private static native void Java_org_rocksdb_ColumnFamilyOptions_setMergeOperator(long options, long operator);

  private static native long Java_org_rocksdb_UInt64AddOperator_newSharedUInt64AddOperator();

  private static native void Java_org_rocksdb_UInt64AddOperator_disposeInternalJni(long operator);
}
