/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;

/**
 * Appends to indexed batches. A family of 0 stands for the default one. C keeps to itself that a batch refused
 * something, as one does that has grown to its limit; what was refused was not counted, and the entry point says why.
 */
public final class IndexedBatches {
  private IndexedBatches() {}

  public static void put(long batch, byte[] key, int keyLength, byte[] value, int valueLength)
      throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      copy(call, key, keyLength, value, valueLength);
      int before = rocksdb_writebatch_wi_count(wrapper);
      rocksdb_writebatch_wi_put(wrapper, call.key().address(), keyLength, call.value().address(), valueLength);
      if (rocksdb_writebatch_wi_count(wrapper) == before) {
        Java_org_rocksdb_WriteBatchWithIndex_putJni__J_3BI_3BI(batch, key, keyLength, value, valueLength);
      }
    } finally {
      call.exit();
    }
  }

  public static void put(long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family)
      throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      copy(call, key, keyLength, value, valueLength);
      int before = rocksdb_writebatch_wi_count(wrapper);
      rocksdb_writebatch_wi_put_cf(
          wrapper,
          Scratch.wrap(call, 2, family),
          call.key().address(),
          keyLength,
          call.value().address(),
          valueLength);
      if (rocksdb_writebatch_wi_count(wrapper) == before) {
        Java_org_rocksdb_WriteBatchWithIndex_putJni__J_3BI_3BIJ(batch, key, keyLength, value, valueLength, family);
      }
    } finally {
      call.exit();
    }
  }

  public static void merge(long batch, byte[] key, int keyLength, byte[] value, int valueLength)
      throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      copy(call, key, keyLength, value, valueLength);
      int before = rocksdb_writebatch_wi_count(wrapper);
      rocksdb_writebatch_wi_merge(wrapper, call.key().address(), keyLength, call.value().address(), valueLength);
      if (rocksdb_writebatch_wi_count(wrapper) == before) {
        Java_org_rocksdb_WriteBatchWithIndex_mergeJni__J_3BI_3BI(batch, key, keyLength, value, valueLength);
      }
    } finally {
      call.exit();
    }
  }

  public static void merge(long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family)
      throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      copy(call, key, keyLength, value, valueLength);
      int before = rocksdb_writebatch_wi_count(wrapper);
      rocksdb_writebatch_wi_merge_cf(
          wrapper,
          Scratch.wrap(call, 2, family),
          call.key().address(),
          keyLength,
          call.value().address(),
          valueLength);
      if (rocksdb_writebatch_wi_count(wrapper) == before) {
        Java_org_rocksdb_WriteBatchWithIndex_mergeJni__J_3BI_3BIJ(batch, key, keyLength, value, valueLength, family);
      }
    } finally {
      call.exit();
    }
  }

  private static void copy(Call call, byte[] key, int keyLength, byte[] value, int valueLength) {
    call.copyKey(key, 0, keyLength);
    call.copyValue(value, 0, valueLength);
  }

  public static void delete(long batch, byte[] key, int length) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      call.copyKey(key, 0, length);
      int before = rocksdb_writebatch_wi_count(wrapper);
      rocksdb_writebatch_wi_delete(wrapper, call.key().address(), length);
      if (rocksdb_writebatch_wi_count(wrapper) == before) {
        Java_org_rocksdb_WriteBatchWithIndex_deleteJni__J_3BI(batch, key, length);
      }
    } finally {
      call.exit();
    }
  }

  public static void delete(long batch, byte[] key, int length, long family) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      long wrapper = Scratch.wrap(call, 0, batch);
      call.copyKey(key, 0, length);
      int before = rocksdb_writebatch_wi_count(wrapper);
      rocksdb_writebatch_wi_delete_cf(wrapper, Scratch.wrap(call, 2, family), call.key().address(), length);
      if (rocksdb_writebatch_wi_count(wrapper) == before) {
        Java_org_rocksdb_WriteBatchWithIndex_deleteJni__J_3BIJ(batch, key, length, family);
      }
    } finally {
      call.exit();
    }
  }

  /** Upstream passes 0 for no family here alone. */
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
    if (family == 0) {
      put(batch, keyBytes, keyLength, valueBytes, valueLength);
    } else {
      put(batch, keyBytes, keyLength, valueBytes, valueLength, family);
    }
  }

  private static native int rocksdb_writebatch_wi_count(long batch);

  private static native void rocksdb_writebatch_wi_put(
      long batch, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_wi_put_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_wi_merge(
      long batch, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_wi_merge_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_wi_delete(long batch, long key, long keySize);

  private static native void rocksdb_writebatch_wi_delete_cf(long batch, long family, long key, long keySize);

  private static native void Java_org_rocksdb_WriteBatchWithIndex_putJni__J_3BI_3BI(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_putJni__J_3BI_3BIJ(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_mergeJni__J_3BI_3BI(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_mergeJni__J_3BI_3BIJ(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_deleteJni__J_3BI(
      long batch, byte[] key, int length) throws RocksDBException;

  private static native void Java_org_rocksdb_WriteBatchWithIndex_deleteJni__J_3BIJ(
      long batch, byte[] key, int length, long family) throws RocksDBException;
}
