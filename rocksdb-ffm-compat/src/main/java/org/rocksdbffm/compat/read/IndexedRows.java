/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.read;

import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Slices;

/** Steps through the entries of an indexed batch, and returns copies of them. */
public final class IndexedRows {
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private IndexedRows() {}

  /** Does nothing off an entry, because the engine would crash. */
  public static void next(long iterator) {
    if (isValid(iterator)) {
      Java_org_rocksdb_WBWIRocksIterator_next0Jni(iterator);
    }
  }

  public static void previous(long iterator) {
    if (isValid(iterator)) {
      Java_org_rocksdb_WBWIRocksIterator_prev0Jni(iterator);
    }
  }

  /**
   * Returns a type, and slices with the key and value. The slices are copies, because the batch moves its bytes when it
   * grows.
   */
  public static long[] entry(long iterator) throws RocksDBException {
    if (!isValid(iterator)) {
      throw new IllegalStateException("the iterator is not on an entry: ask isValid() first");
    }
    long[] entry = Java_org_rocksdb_WBWIRocksIterator_entry1(iterator);
    entry[KEY] = copy(entry[KEY]);
    entry[VALUE] = copy(entry[VALUE]);
    return entry;
  }

  private static long copy(long slice) {
    if (slice == 0) {
      return 0;
    }
    try {
      return Slices.copyOf(slice);
    } finally {
      Java_org_rocksdb_AbstractSlice_disposeInternalJni(slice);
    }
  }

  private static boolean isValid(long iterator) {
    return Java_org_rocksdb_WBWIRocksIterator_isValid0Jni(iterator);
  }

  private static native boolean Java_org_rocksdb_WBWIRocksIterator_isValid0Jni(long iterator);

  private static native void Java_org_rocksdb_WBWIRocksIterator_next0Jni(long iterator);

  private static native void Java_org_rocksdb_WBWIRocksIterator_prev0Jni(long iterator);

  private static native long[] Java_org_rocksdb_WBWIRocksIterator_entry1(long iterator) throws RocksDBException;

  private static native void Java_org_rocksdb_AbstractSlice_disposeInternalJni(long slice);
}
