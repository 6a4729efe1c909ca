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
    Call call = Scratch.enterPair(key, keyOffset, keyLength, value, valueOffset, valueLength);
    write(operation, call, db, options, family, keyLength, valueLength);
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
    Call call = Scratch.enterPair(key, keyOffset, keyLength, value, valueOffset, valueLength);
    write(operation, call, db, options, family, keyLength, valueLength);
  }

  public static void write(
      Operation operation, long db, long options, byte[] key, int offset, int length, long family)
      throws RocksDBException {
    write(operation, Scratch.enterPair(key, offset, length, key, offset, 0), db, options, family, length, 0);
  }

  public static void write(
      Operation operation, long db, long options, ByteBuffer key, int offset, int length, long family)
      throws RocksDBException {
    write(operation, Scratch.enterPair(key, offset, length, key, offset, 0), db, options, family, length, 0);
  }

  /** Writes the call's key and value, and exits the call. */
  @CompiledApart
  private static void write(
      Operation operation, Call call, long db, long options, long family, int keyLength, int valueLength)
      throws RocksDBException {
    try {
      long opts = options == 0 ? DEFAULT_OPTIONS : options;
      if (operation == Operation.DELETE_RANGE && isEmptyRange(call, db, family, keyLength, valueLength)) {
        RangeDeletions.writeNothing(db, opts);
        return;
      }
      long error =
          rocksdb_ffm_bare_change(
              operation.write,
              db,
              opts,
              StubReader.family(db, family),
              call.value().address(),
              operation.sizes(keyLength, valueLength));
      if (error != 0) {
        throw Errors.take(error);
      }
    } finally {
      call.exit();
    }
  }

  private static boolean isEmptyRange(Call call, long db, long family, int fromSize, int toSize)
      throws RocksDBException {
    long from = call.value().address();
    return RangeDeletions.isEmpty(
        db, Memory.toArray(from, fromSize), Memory.toArray(from + fromSize, toSize), family);
  }

  private static native long rocksdb_writeoptions_create();

  private static native long rocksdb_ffm_bare_change(
      long change, long db, long options, long family, long keyAndValue, long sizes);
}
