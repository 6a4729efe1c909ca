/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.CompiledApart;
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
      long database = Scratch.wrap(call, 0, db);
      long target = Scratch.wrap(call, 2, StubReader.family(db, family));
      long key = call.key().address();
      long size = call.keySize();
      long value = call.value().address();
      long error = Scratch.error(call);
      switch (operation) {
        case PUT -> rocksdb_put_cf(database, opts, target, key, size, value, valueLength, error);
        case MERGE -> rocksdb_merge_cf(database, opts, target, key, size, value, valueLength, error);
        case DELETE -> rocksdb_delete_cf(database, opts, target, key, size, error);
        case SINGLE_DELETE -> rocksdb_singledelete_cf(database, opts, target, key, size, error);
        case DELETE_RANGE -> rocksdb_delete_range_cf(database, opts, target, key, size, value, valueLength, error);
      }
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  private static boolean isEmptyRange(Call call, long db, long family, int size) throws RocksDBException {
    byte[] from = Memory.toArray(call.keyAddress(), call.keySize());
    return RangeDeletions.isEmpty(db, from, Memory.toArray(call.value().address(), size), family);
  }

  private static native long rocksdb_writeoptions_create();

  private static native void rocksdb_put_cf(
      long db, long options, long family, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_merge_cf(
      long db, long options, long family, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_delete_range_cf(
      long db, long options, long family, long begin, long beginSize, long end, long endSize, long error);

  private static native void rocksdb_delete_cf(
      long db, long options, long family, long key, long keySize, long error);

  private static native void rocksdb_singledelete_cf(
      long db, long options, long family, long key, long keySize, long error);
}
