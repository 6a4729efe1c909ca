/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.CompiledApart;
import org.rocksdbffm.compat.support.Errors;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;
import org.rocksdbffm.internal.foreign.Memory;

/** Writes single keys. A pointer of 0 represents the default column family, or default options. */
public final class Writes {
  private static final long DEFAULT_OPTIONS = rocksdb_writeoptions_create();

  private Writes() {}

  public static void write(
      Operation operation,
      long db,
      long options,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, keyOffset, keyLength, value, valueOffset, valueLength);
    write(operation, call, db, options, family, valueLength);
  }

  public static void write(
      Operation operation,
      long db,
      long options,
      ByteBuffer key,
      int keyOffset,
      int keyLength,
      ByteBuffer value,
      int valueOffset,
      int valueLength,
      long family)
      throws RocksDBException {
    Call call = Scratch.enter(key, keyOffset, keyLength, value, valueOffset, valueLength);
    write(operation, call, db, options, family, valueLength);
  }

  public static void write(
      Operation operation, long db, long options, byte[] key, int offset, int length, long family)
      throws RocksDBException {
    write(operation, Scratch.enter(key, offset, length), db, options, family, 0);
  }

  public static void write(
      Operation operation, long db, long options, ByteBuffer key, int offset, int length, long family)
      throws RocksDBException {
    write(operation, Scratch.enter(key, offset, length), db, options, family, 0);
  }

  /** Writes the call's key and value, and exits the call. */
  @CompiledApart
  private static void write(Operation operation, Call call, long db, long options, long family, int valueLength)
      throws RocksDBException {
    try {
      long opts = options == 0 ? DEFAULT_OPTIONS : options;
      if (operation == Operation.DELETE_RANGE && isEmptyRange(call, db, family, valueLength)) {
        RangeDeletions.writeNothing(db, opts);
        return;
      }
      long value = operation.hasValue() ? call.value().address() : 0;
      long error =
          rocksdb_ffm_bare_change(
              operation.write,
              db,
              opts,
              StubReader.family(db, family),
              call.keyAddress(),
              call.keySize(),
              value,
              valueLength);
      if (error != 0) {
        throw Errors.take(error);
      }
    } finally {
      call.exit();
    }
  }

  private static boolean isEmptyRange(Call call, long db, long family, int size) throws RocksDBException {
    byte[] from = Memory.toArray(call.keyAddress(), call.keySize());
    return RangeDeletions.isEmpty(db, from, Memory.toArray(call.value().address(), size), family);
  }

  private static native long rocksdb_writeoptions_create();

  private static native long rocksdb_ffm_bare_change(
      long change, long db, long options, long family, long key, long keySize, long value, long valueSize);
}
