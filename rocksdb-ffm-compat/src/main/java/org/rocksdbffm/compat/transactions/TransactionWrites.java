/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.write.Operation;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/**
 * Writes single keys in a transaction: a pessimistic transaction locks the keys, an optimistic one tracks them. A
 * family of 0 represents the default one. Writes with {@code assumeTracked} use the JNI entry points, because the C API
 * always tracks keys.
 */
public final class TransactionWrites {
  private TransactionWrites() {}

  /** Puts or merges a value. */
  public static void write(
      Operation operation,
      long transaction,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family,
      boolean tracked)
      throws RocksDBException {
    if (!tracked) {
      Call call = Scratch.enter(key, keyOffset, keyLength, value, valueOffset, valueLength);
      write(operation, call, transaction, family, valueLength);
    } else if (operation == Operation.PUT) {
      Java_org_rocksdb_Transaction_put__J_3BII_3BIIJZ(
          transaction, key, keyOffset, keyLength, value, valueOffset, valueLength, family, true);
    } else {
      Java_org_rocksdb_Transaction_merge__J_3BII_3BIIJZ(
          transaction, key, keyOffset, keyLength, value, valueOffset, valueLength, family, true);
    }
  }

  public static void write(
      Operation operation,
      long transaction,
      ByteBuffer key,
      int keyOffset,
      int keyLength,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family,
      boolean tracked)
      throws RocksDBException {
    if (!tracked) {
      Call call = Scratch.enter(key, keyOffset, keyLength, value, valueOffset, valueLength);
      write(operation, call, transaction, family, valueLength);
    } else if (operation == Operation.PUT) {
      Java_org_rocksdb_Transaction_putDirect__JLjava_nio_ByteBuffer_2IILjava_nio_ByteBuffer_2IIJZ(
          transaction, key, keyOffset, keyLength, value, valueOffset, valueLength, family, true);
    } else {
      Java_org_rocksdb_Transaction_mergeDirect__JLjava_nio_ByteBuffer_2IILjava_nio_ByteBuffer_2IIJZ(
          transaction, key, keyOffset, keyLength, value, valueOffset, valueLength, family, true);
    }
  }

  public static void delete(long transaction, byte[] key, int length, long family, boolean tracked)
      throws RocksDBException {
    if (tracked) {
      Java_org_rocksdb_Transaction_delete__J_3BIJZ(transaction, key, length, family, true);
    } else {
      write(Operation.DELETE, Scratch.enter(key, 0, length), transaction, family, 0);
    }
  }

  /** Writes the call's key and value, and exits the call. */
  private static void write(Operation operation, Call call, long transaction, long family, int valueLength)
      throws RocksDBException {
    try {
      if (SnapshotLocks.lock(call, transaction, family, true)) {
        byte[] lockedKey = Memory.toArray(call.key().address(), call.keySize());
        writeLocked(operation, transaction, family, lockedKey, Memory.toArray(call.value().address(), valueLength));
        return;
      }
      long wrapper = Scratch.wrap(call, 0, transaction);
      long target = Scratch.wrap(call, 2, family);
      long key = call.key().address();
      long size = call.keySize();
      long value = call.value().address();
      long error = Scratch.error(call);
      switch (operation) {
        case PUT -> rocksdb_transaction_put_cf(wrapper, target, key, size, value, valueLength, error);
        case MERGE -> rocksdb_transaction_merge_cf(wrapper, target, key, size, value, valueLength, error);
        case DELETE -> rocksdb_transaction_delete_cf(wrapper, target, key, size, error);
        default -> throw new IllegalArgumentException(operation + " in a transaction is for the entry points");
      }
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  private static void writeLocked(Operation operation, long transaction, long family, byte[] key, byte[] value)
      throws RocksDBException {
    if (operation == Operation.DELETE) {
      delete(transaction, key, key.length, family, true);
    } else {
      write(operation, transaction, key, 0, key.length, value, 0, value.length, family, true);
    }
  }

  private static native void rocksdb_transaction_put_cf(
      long transaction, long family, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_transaction_merge_cf(
      long transaction, long family, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_transaction_delete_cf(
      long transaction, long family, long key, long keySize, long error);

  private static native void Java_org_rocksdb_Transaction_put__J_3BII_3BIIJZ(
      long transaction,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family,
      boolean tracked)
      throws RocksDBException;

  private static native void
      Java_org_rocksdb_Transaction_putDirect__JLjava_nio_ByteBuffer_2IILjava_nio_ByteBuffer_2IIJZ(
          long transaction,
          ByteBuffer key,
          int keyOffset,
          int keyLength,
          ByteBuffer value,
          int valueOffset,
          int valueLength,
          long family,
          boolean tracked)
          throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_merge__J_3BII_3BIIJZ(
      long transaction,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family,
      boolean tracked)
      throws RocksDBException;

  private static native void
      Java_org_rocksdb_Transaction_mergeDirect__JLjava_nio_ByteBuffer_2IILjava_nio_ByteBuffer_2IIJZ(
          long transaction,
          ByteBuffer key,
          int keyOffset,
          int keyLength,
          ByteBuffer value,
          int valueOffset,
          int valueLength,
          long family,
          boolean tracked)
          throws RocksDBException;

  private static native void Java_org_rocksdb_Transaction_delete__J_3BIJZ(
      long transaction, byte[] key, int length, long family, boolean tracked) throws RocksDBException;
}
