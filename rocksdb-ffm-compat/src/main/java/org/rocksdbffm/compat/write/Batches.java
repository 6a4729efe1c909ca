/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.membership.LentBatches;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Appends to write batches. A pointer of 0 represents the default column family. */
public final class Batches {
  private Batches() {}

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
      return Memory.toArray(address, call.sizeInCell());
    } finally {
      call.exit();
    }
  }

  public static void append(
      Operation operation,
      long batch,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    Call call = Scratch.enterPair(key, keyOffset, keyLength, value, valueOffset, valueLength);
    append(operation, call, batch, family, keyLength, valueLength);
  }

  public static void append(
      Operation operation,
      long batch,
      ByteBuffer key,
      int keyOffset,
      int keyLength,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    Call call = Scratch.enterPair(key, keyOffset, keyLength, value, valueOffset, valueLength);
    append(operation, call, batch, family, keyLength, valueLength);
  }

  public static void append(Operation operation, long batch, byte[] key, int offset, int length, long family)
      throws RocksDBException {
    append(operation, Scratch.enterPair(key, offset, length, key, offset, 0), batch, family, length, 0);
  }

  public static void append(Operation operation, long batch, ByteBuffer key, int offset, int length, long family)
      throws RocksDBException {
    append(operation, Scratch.enterPair(key, offset, length, key, offset, 0), batch, family, length, 0);
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

  /** Appends the call's key and value, and exits the call. */
  @CompiledApart
  private static void append(
      Operation operation, Call call, long batch, long family, int keyLength, int valueLength)
      throws RocksDBException {
    try {
      if (operation == Operation.DELETE_RANGE && keyLength == valueLength && isLentAndEmpty(call, batch, keyLength)) {
        return;
      }
      long isAppended =
          rocksdb_ffm_bare_append(
              operation.append,
              batch,
              family,
              call.value().address(),
              operation.sizes(keyLength, valueLength),
              BatchLimits.counter(batch));
      if (isAppended == 0) {
        throw BatchLimits.exceeded();
      }
    } finally {
      call.exit();
    }
  }

  /**
   * Whether to leave out an empty range now, because its batch is in another object. Other batches drop theirs when
   * written.
   *
   * @param size the size of the start of the range, and of its end
   */
  private static boolean isLentAndEmpty(Call call, long batch, int size) {
    return call.value().asSlice(0, size).mismatch(call.value().asSlice(size, size)) < 0
        && LentBatches.contains(batch);
  }

  private static native long rocksdb_writebatch_create_with_params(
      long reservedBytes, long maxBytes, long protectionBytes, long timestampSize);

  private static native long rocksdb_writebatch_create_from(long bytes, long size);

  private static native long rocksdb_writebatch_data(long batch, long size);

  private static native void rocksdb_writebatch_put_log_data(long batch, long data, long size);

  private static native long rocksdb_ffm_bare_append(
      long append, long batch, long family, long keyAndValue, long sizes, long count);
}
