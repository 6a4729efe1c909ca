/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.transactions;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.Reads;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;

/**
 * Reads single keys in a transaction, and locks them on request. Locking without validation against the transaction's
 * snapshot uses the JNI entry points, because the C API always validates.
 */
public final class TransactionReads {
  private TransactionReads() {}

  public static byte[] get(
      long transaction,
      long options,
      byte[] key,
      int offset,
      int length,
      long family,
      boolean locks,
      boolean exclusive,
      boolean validate)
      throws RocksDBException {
    if (!validate) {
      return Java_org_rocksdb_Transaction_getForUpdate__JJ_3BIIJZZ(
          transaction, options, key, offset, length, family, exclusive, false);
    }
    Call call = Scratch.enter(key, offset, length);
    try {
      return Reads.found(call, read(call, transaction, options, family, locks, exclusive));
    } finally {
      call.exit();
    }
  }

  public static int get(
      long transaction,
      long options,
      byte[] key,
      int offset,
      int length,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family,
      boolean locks,
      boolean exclusive,
      boolean validate)
      throws RocksDBException {
    if (!validate) {
      return Java_org_rocksdb_Transaction_getForUpdate__JJ_3BII_3BIIJZZ(
          transaction, options, key, offset, length, value, valueOffset, valueLength, family, exclusive, false);
    }
    Call call = Scratch.enter(key, offset, length);
    try {
      boolean isFound = read(call, transaction, options, family, locks, exclusive);
      return Reads.found(call, isFound, value, valueOffset, valueLength);
    } finally {
      call.exit();
    }
  }

  public static int get(
      long transaction,
      long options,
      ByteBuffer key,
      int offset,
      int length,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family,
      boolean locks,
      boolean exclusive,
      boolean validate)
      throws RocksDBException {
    if (!validate) {
      return Java_org_rocksdb_Transaction_getDirectForUpdate(
          transaction, options, key, offset, length, value, valueOffset, valueLength, family, exclusive, false);
    }
    MemorySegment target = Buffers.part(value, valueOffset, valueLength);
    Call call = Scratch.enter(key, offset, length);
    try {
      return Reads.found(call, read(call, transaction, options, family, locks, exclusive), target);
    } finally {
      call.exit();
    }
  }

  public static byte[][] multiGetForUpdate(long transaction, long options, byte[][] keys) throws RocksDBException {
    long[] families = new long[keys.length];
    Arrays.fill(families, StubReader.family(Transactions.database(transaction).pointer(), 0));
    return multiGetForUpdate(transaction, options, keys, families);
  }

  /** Reads and locks keys. If a key cannot be locked, all values are null, as in rocksdbjni. */
  public static byte[][] multiGetForUpdate(long transaction, long options, byte[][] keys, long[] families)
      throws RocksDBException {
    boolean isChecked = false;
    for (long family : families) {
      isChecked |= SnapshotLocks.isNeeded(transaction, family);
    }
    if (!isChecked) {
      return Java_org_rocksdb_Transaction_multiGetForUpdate__JJ_3_3B_3J(transaction, options, keys, families);
    }
    byte[][] values = new byte[keys.length][];
    try {
      for (int i = 0; i < keys.length; i++) {
        values[i] = get(transaction, options, keys[i], 0, keys[i].length, families[i], true, true, true);
      }
    } catch (RocksDBException e) {
      return new byte[keys.length][];
    }
    return values;
  }

  private static boolean read(
      Call call, long transaction, long options, long family, boolean locks, boolean exclusive)
      throws RocksDBException {
    return locks && !SnapshotLocks.lock(call, transaction, family, exclusive)
        ? StubReader.lockThrough(call, transaction, options, family, exclusive)
        : StubReader.readThrough(call, transaction, options, family);
  }

  private static native byte[][] Java_org_rocksdb_Transaction_multiGetForUpdate__JJ_3_3B_3J(
      long transaction, long options, byte[][] keys, long[] families) throws RocksDBException;

  private static native byte[] Java_org_rocksdb_Transaction_getForUpdate__JJ_3BIIJZZ(
      long transaction, long options, byte[] key, int offset, int length, long family, boolean exclusive,
      boolean validate)
      throws RocksDBException;

  private static native int Java_org_rocksdb_Transaction_getForUpdate__JJ_3BII_3BIIJZZ(
      long transaction,
      long options,
      byte[] key,
      int offset,
      int length,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family,
      boolean exclusive,
      boolean validate)
      throws RocksDBException;

  private static native int Java_org_rocksdb_Transaction_getDirectForUpdate(
      long transaction,
      long options,
      ByteBuffer key,
      int offset,
      int length,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family,
      boolean exclusive,
      boolean validate)
      throws RocksDBException;
}
