/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.callback.Comparators;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.watch.WatchedDatabase;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.loader.NativeLibrary;

/**
 * Filters range deletions that the engine mishandles. An empty range gets a sequence number when written but none at
 * recovery, where another write gets the same number, so empty ranges are not written. A range that ends before its
 * start is written to the WAL and then makes the engine reject all later writes, so it is rejected before. Transaction
 * databases reject all range deletions.
 */
public final class RangeDeletions {
  private static final long WRITE = NativeLibrary.find("rocksdb_write").address();
  private static final long NOT_WRITTEN = 1;
  private static final long HAS_RANGES =
      NativeLibrary.find("Java_org_rocksdb_WriteBatch_hasDeleteRange").address();

  private RangeDeletions() {}

  /** Writes a batch without its empty ranges. */
  public static void write(long db, long options, long batch) throws RocksDBException {
    if (!isWritten(db, options, batch, HAS_RANGES)) {
      writeWithRanges(db, options, batch);
    }
  }

  private static void writeWithRanges(long db, long options, long batch) throws RocksDBException {
    long kept = withoutEmptyRanges(db, batch);
    try {
      isWritten(db, options, kept == 0 ? batch : kept, 0);
    } finally {
      if (kept != 0) {
        rocksdb_writebatch_destroy(kept);
      }
    }
  }

  /** Writes an empty batch instead of an empty range, with the same options. */
  static void writeNothing(long db, long options) throws RocksDBException {
    long nothing = rocksdb_writebatch_create();
    try {
      isWritten(db, options, nothing, 0);
    } finally {
      rocksdb_writebatch_destroy(nothing);
    }
  }

  /** Writes a batch unless {@code hasRanges}, the address of a function or 0, says that it deletes ranges. */
  @CompiledApart
  private static boolean isWritten(long db, long options, long batch, long hasRanges) throws RocksDBException {
    long error = rocksdb_ffm_bare_write(WRITE, db, options, batch, hasRanges);
    if (error != 0 && error != NOT_WRITTEN) {
      throw Errors.take(error);
    }
    return error == 0;
  }

  /** Whether a range is empty, so that it must not reach the engine; throws if it ends before its start. */
  static boolean isEmpty(long db, byte[] from, byte[] until, long family) throws RocksDBException {
    int order = Arrays.compareUnsigned(from, until);
    if (order < 0 && !Comparators.areOthers() || WatchedDatabase.hasTransactions(db)) {
      return false;
    }
    return order == 0 || isEmpty(from, until, StubReader.family(db, family));
  }

  /** As above, by the comparator of a column family. */
  private static boolean isEmpty(byte[] from, byte[] until, long family) throws RocksDBException {
    long batch = Java_org_rocksdb_WriteBatchWithIndex_newWriteBatchWithIndex__Z(true);
    try {
      put(batch, from, family);
      long rows = Java_org_rocksdb_WriteBatchWithIndex_iterator1(batch, family);
      try {
        Java_org_rocksdb_WBWIRocksIterator_seek0Jni(rows, until, until.length);
        if (!Java_org_rocksdb_WBWIRocksIterator_isValid0Jni(rows)) {
          return false;
        }
        Java_org_rocksdb_WBWIRocksIterator_seekForPrev0Jni(rows, until, until.length);
        if (!Java_org_rocksdb_WBWIRocksIterator_isValid0Jni(rows)) {
          throw Errors.of(Status.Code.InvalidArgument, "end key comes before start key");
        }
        return true;
      } finally {
        Java_org_rocksdb_WBWIRocksIterator_disposeInternalJni(rows);
      }
    } finally {
      Java_org_rocksdb_WriteBatchWithIndex_disposeInternalJni(batch);
    }
  }

  private static void put(long batch, byte[] key, long family) {
    Call call = Scratch.enter(key, 0, key.length);
    try {
      rocksdb_writebatch_wi_put_cf(
          Scratch.wrap(call, 0, batch), Scratch.wrap(call, 2, family), call.key().address(), key.length, 0, 0);
    } finally {
      call.exit();
    }
  }

  /** Returns a new batch, which the caller <em>owns</em>; 0 if the batch has no empty range. */
  private static long withoutEmptyRanges(long db, long batch) throws RocksDBException {
    byte[] bytes = Batches.data(batch);
    byte[] kept =
        RangeRecords.<RocksDBException>without(bytes, (family, from, until) -> isEmpty(db, family, from, until));
    return kept == bytes ? 0 : Batches.open(kept, kept.length);
  }

  /** Without an open handle of the family, compares the keys as bytes, because the comparator is unknown. */
  private static boolean isEmpty(long db, int number, byte[] from, byte[] until) throws RocksDBException {
    if (number == 0) {
      return isEmpty(db, from, until, 0);
    }
    boolean[] isEmpty = {Arrays.equals(from, until) && !WatchedDatabase.hasTransactions(db)};
    if (!isEmpty[0]) {
      WatchedDatabase.useFamily(db, number, family -> isEmpty[0] = isEmpty(db, from, until, family));
    }
    return isEmpty[0];
  }

  private static native long rocksdb_writebatch_create();

  private static native void rocksdb_writebatch_destroy(long batch);

  private static native long rocksdb_ffm_bare_write(long write, long db, long options, long batch, long hasRanges);

  private static native void rocksdb_writebatch_wi_put_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native long Java_org_rocksdb_WriteBatchWithIndex_newWriteBatchWithIndex__Z(boolean overwritesKeys);

  private static native long Java_org_rocksdb_WriteBatchWithIndex_iterator1(long batch, long family);

  private static native void Java_org_rocksdb_WriteBatchWithIndex_disposeInternalJni(long batch);

  private static native void Java_org_rocksdb_WBWIRocksIterator_seek0Jni(long iterator, byte[] key, int length);

  private static native void Java_org_rocksdb_WBWIRocksIterator_seekForPrev0Jni(long iterator, byte[] key, int length);

  private static native boolean Java_org_rocksdb_WBWIRocksIterator_isValid0Jni(long iterator);

  private static native void Java_org_rocksdb_WBWIRocksIterator_disposeInternalJni(long iterator);
}
