/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;

/**
 * Appends to indexed batches. A family of 0 represents the default one. The C API drops the error if a batch rejects an
 * update, for example at its maximum size. So each method compares the batch's count of updates, and if it did not
 * change, repeats the call through JNI, which throws the exception.
 */
public final class IndexedBatches {
  private IndexedBatches() {}

  public static void put(long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, 0, keyLength, value, 0, valueLength);
    if (!append(Operation.PUT, call, batch, family, valueLength)) {
      Java_org_rocksdb_WriteBatchWithIndex_putJni__J_3BI_3BIJ(batch, key, keyLength, value, valueLength, family);
    }
  }

  public static void merge(long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, 0, keyLength, value, 0, valueLength);
    if (!append(Operation.MERGE, call, batch, family, valueLength)) {
      Java_org_rocksdb_WriteBatchWithIndex_mergeJni__J_3BI_3BIJ(batch, key, keyLength, value, valueLength, family);
    }
  }

  public static void delete(long batch, byte[] key, int length, long family) throws RocksDBException {
    if (!append(Operation.DELETE, Scratch.enter(key, 0, length), batch, family, 0)) {
      Java_org_rocksdb_WriteBatchWithIndex_deleteJni__J_3BIJ(batch, key, length, family);
    }
  }

  public static void putDirect(
      long batch,
      ByteBuffer key,
      int keyOffset,
      int keyLength,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    byte[] keyBytes = new byte[keyLength];
    byte[] valueBytes = new byte[valueLength];
    key.get(keyOffset, keyBytes);
    value.get(valueOffset, valueBytes);
    put(batch, keyBytes, keyLength, valueBytes, valueLength, family);
  }

  /** Appends the call's key and value, and exits the call; returns whether the batch accepted them. */
  private static boolean append(Operation operation, Call call, long batch, long family, int valueLength) {
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      long target = Scratch.wrap(call, 2, family);
      long key = call.key().address();
      long size = call.keySize();
      int before = rocksdb_writebatch_wi_count(wrapper);
      switch (operation) {
        case PUT ->
            rocksdb_writebatch_wi_put_cf(wrapper, target, key, size, call.value().address(), valueLength);
        case MERGE ->
            rocksdb_writebatch_wi_merge_cf(wrapper, target, key, size, call.value().address(), valueLength);
        case DELETE -> rocksdb_writebatch_wi_delete_cf(wrapper, target, key, size);
        default -> throw new IllegalArgumentException(operation + " of an indexed batch is for the entry points");
      }
      return rocksdb_writebatch_wi_count(wrapper) != before;
    } finally {
      call.exit();
    }
  }

  private static native int rocksdb_writebatch_wi_count(long batch);

  private static native void rocksdb_writebatch_wi_put_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_wi_merge_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_wi_delete_cf(long batch, long family, long key, long keySize);

  private static native void Java_org_rocksdb_WriteBatchWithIndex_putJni__J_3BI_3BIJ(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_mergeJni__J_3BI_3BIJ(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_deleteJni__J_3BIJ(
      long batch, byte[] key, int length, long family) throws RocksDBException;
}
