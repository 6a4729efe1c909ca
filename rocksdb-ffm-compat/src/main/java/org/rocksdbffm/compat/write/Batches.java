/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Appends to write batches. A pointer of 0 stands for the default family. */
public final class Batches {
  private Batches() {}

  /** The kinds of entries of a batch, for a key or for the keys from one to another. */
  private enum Operation {
    PUT,
    MERGE,
    DELETE,
    SINGLE_DELETE,
    DELETE_RANGE
  }

  public static long open(int reservedBytes) {
    return rocksdb_writebatch_create_with_params(reservedBytes, 0, 0, 0);
  }

  public static long open(byte[] serialized, int length) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      call.copyValue(serialized, 0, length);
      return rocksdb_writebatch_create_from(call.value().address(), length);
    } finally {
      call.exit();
    }
  }

  public static byte[] data(long batch) {
    Call call = Scratch.enter();
    try {
      long address = rocksdb_writebatch_data(batch, call.sizeCell.address());
      return Memory.toArray(address, Memory.pointer(call.sizeCell, 0));
    } finally {
      call.exit();
    }
  }

  public static void put(long batch, byte[] key, int keyLength, byte[] value, int valueLength)
      throws RocksDBException {
    put(batch, key, keyLength, value, valueLength, 0);
  }

  public static void put(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family)
      throws RocksDBException {
    append(Operation.PUT, Scratch.enter(key, 0, keyLength, value, 0, valueLength), batch, family, valueLength);
  }

  public static void merge(long batch, byte[] key, int keyLength, byte[] value, int valueLength)
      throws RocksDBException {
    merge(batch, key, keyLength, value, valueLength, 0);
  }

  public static void merge(
      long batch, byte[] key, int keyLength, byte[] value, int valueLength, long family)
      throws RocksDBException {
    append(Operation.MERGE, Scratch.enter(key, 0, keyLength, value, 0, valueLength), batch, family, valueLength);
  }

  public static void deleteRange(long batch, byte[] begin, int beginLength, byte[] end, int endLength)
      throws RocksDBException {
    deleteRange(batch, begin, beginLength, end, endLength, 0);
  }

  public static void deleteRange(
      long batch, byte[] begin, int beginLength, byte[] end, int endLength, long family)
      throws RocksDBException {
    append(Operation.DELETE_RANGE, Scratch.enter(begin, 0, beginLength, end, 0, endLength), batch, family, endLength);
  }

  public static void delete(long batch, byte[] key, int length) throws RocksDBException {
    delete(batch, key, length, 0);
  }

  public static void delete(long batch, byte[] key, int length, long family) throws RocksDBException {
    append(Operation.DELETE, Scratch.enter(key, 0, length), batch, family, 0);
  }

  public static void singleDelete(long batch, byte[] key, int length) throws RocksDBException {
    singleDelete(batch, key, length, 0);
  }

  public static void singleDelete(long batch, byte[] key, int length, long family) throws RocksDBException {
    append(Operation.SINGLE_DELETE, Scratch.enter(key, 0, length), batch, family, 0);
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
    Call call = Scratch.enter(key, keyOffset, keyLength, value, valueOffset, valueLength);
    append(Operation.PUT, call, batch, family, valueLength);
  }

  public static void deleteDirect(long batch, ByteBuffer key, int offset, int length, long family)
      throws RocksDBException {
    append(Operation.DELETE, Scratch.enter(key, offset, length), batch, family, 0);
  }

  public static void putLogData(long batch, byte[] data, int length) {
    Call call = Scratch.enter();
    try {
      call.copyValue(data, 0, length);
      rocksdb_writebatch_put_log_data(batch, call.value().address(), length);
    } finally {
      call.exit();
    }
  }

  /** Appends the call's key and value, and leaves the call. */
  private static void append(Operation operation, Call call, long batch, long family, int valueLength)
      throws RocksDBException {
    try {
      long target = family == 0 ? 0 : Scratch.wrap(call, 0, family);
      long key = call.key().address();
      long size = call.keySize();
      long value = call.value().address();
      int before = BatchLimits.count(batch);
      switch (operation) {
        case PUT -> {
          if (target == 0) {
            rocksdb_writebatch_put(batch, key, size, value, valueLength);
          } else {
            rocksdb_writebatch_put_cf(batch, target, key, size, value, valueLength);
          }
        }
        case MERGE -> {
          if (target == 0) {
            rocksdb_writebatch_merge(batch, key, size, value, valueLength);
          } else {
            rocksdb_writebatch_merge_cf(batch, target, key, size, value, valueLength);
          }
        }
        case DELETE -> {
          if (target == 0) {
            rocksdb_writebatch_delete(batch, key, size);
          } else {
            rocksdb_writebatch_delete_cf(batch, target, key, size);
          }
        }
        case SINGLE_DELETE -> {
          if (target == 0) {
            rocksdb_writebatch_singledelete(batch, key, size);
          } else {
            rocksdb_writebatch_singledelete_cf(batch, target, key, size);
          }
        }
        case DELETE_RANGE -> {
          if (target == 0) {
            rocksdb_writebatch_delete_range(batch, key, size, value, valueLength);
          } else {
            rocksdb_writebatch_delete_range_cf(batch, target, key, size, value, valueLength);
          }
        }
      }
      BatchLimits.requireMore(batch, before);
    } finally {
      call.exit();
    }
  }

  private static native long rocksdb_writebatch_create_with_params(
      long reservedBytes, long maxBytes, long protectionBytes, long timestampSize);

  private static native long rocksdb_writebatch_create_from(long bytes, long size);

  private static native long rocksdb_writebatch_data(long batch, long size);

  private static native void rocksdb_writebatch_put_log_data(long batch, long data, long size);

  private static native void rocksdb_writebatch_put(
      long batch, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_put_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_merge(
      long batch, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_merge_cf(
      long batch, long family, long key, long keySize, long value, long valueSize);

  private static native void rocksdb_writebatch_delete_range(
      long batch, long begin, long beginSize, long end, long endSize);

  private static native void rocksdb_writebatch_delete_range_cf(
      long batch, long family, long begin, long beginSize, long end, long endSize);

  private static native void rocksdb_writebatch_delete(long batch, long key, long keySize);

  private static native void rocksdb_writebatch_delete_cf(long batch, long family, long key, long keySize);

  private static native void rocksdb_writebatch_singledelete(long batch, long key, long keySize);

  private static native void rocksdb_writebatch_singledelete_cf(long batch, long family, long key, long keySize);
}
