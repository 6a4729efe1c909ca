/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.write;

import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.read.StubReader;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.internal.call.Call;

/** Writes single keys. A pointer of 0 stands for the default family, and for default options. */
public final class Writes {
  private static final long DEFAULT_OPTIONS = rocksdb_writeoptions_create();

  private Writes() {}

  /** The kinds of writes, to a key or to the keys from one to another. */
  private enum Operation {
    PUT,
    MERGE,
    DELETE,
    SINGLE_DELETE,
    DELETE_RANGE
  }

  public static void put(
      long db, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength)
      throws RocksDBException {
    put(db, 0, key, keyOffset, keyLength, value, valueOffset, valueLength, 0);
  }

  public static void put(
      long db, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength, long family)
      throws RocksDBException {
    put(db, 0, key, keyOffset, keyLength, value, valueOffset, valueLength, family);
  }

  public static void put(
      long db, long options, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength)
      throws RocksDBException {
    put(db, options, key, keyOffset, keyLength, value, valueOffset, valueLength, 0);
  }

  public static void put(
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
    write(Operation.PUT, db, options, key, keyOffset, keyLength, value, valueOffset, valueLength, family);
  }

  public static void merge(
      long db, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength)
      throws RocksDBException {
    merge(db, 0, key, keyOffset, keyLength, value, valueOffset, valueLength, 0);
  }

  public static void merge(
      long db, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength, long family)
      throws RocksDBException {
    merge(db, 0, key, keyOffset, keyLength, value, valueOffset, valueLength, family);
  }

  public static void merge(
      long db, long options, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset, int valueLength)
      throws RocksDBException {
    merge(db, options, key, keyOffset, keyLength, value, valueOffset, valueLength, 0);
  }

  public static void merge(
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
    write(Operation.MERGE, db, options, key, keyOffset, keyLength, value, valueOffset, valueLength, family);
  }

  public static void deleteRange(
      long db, byte[] begin, int beginOffset, int beginLength, byte[] end, int endOffset, int endLength)
      throws RocksDBException {
    deleteRange(db, 0, begin, beginOffset, beginLength, end, endOffset, endLength, 0);
  }

  public static void deleteRange(
      long db, byte[] begin, int beginOffset, int beginLength, byte[] end, int endOffset, int endLength, long family)
      throws RocksDBException {
    deleteRange(db, 0, begin, beginOffset, beginLength, end, endOffset, endLength, family);
  }

  public static void deleteRange(
      long db, long options, byte[] begin, int beginOffset, int beginLength, byte[] end, int endOffset, int endLength)
      throws RocksDBException {
    deleteRange(db, options, begin, beginOffset, beginLength, end, endOffset, endLength, 0);
  }

  public static void deleteRange(
      long db,
      long options,
      byte[] begin,
      int beginOffset,
      int beginLength,
      byte[] end,
      int endOffset,
      int endLength,
      long family)
      throws RocksDBException {
    write(Operation.DELETE_RANGE, db, options, begin, beginOffset, beginLength, end, endOffset, endLength, family);
  }

  public static void putDirect(
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
    write(Operation.PUT, db, options, key, keyOffset, keyLength, value, valueOffset, valueLength, family);
  }

  public static void mergeDirect(
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
    write(Operation.MERGE, db, options, key, keyOffset, keyLength, value, valueOffset, valueLength, family);
  }

  public static void delete(long db, byte[] key, int offset, int length) throws RocksDBException {
    delete(db, 0, key, offset, length, 0);
  }

  public static void delete(long db, byte[] key, int offset, int length, long family) throws RocksDBException {
    delete(db, 0, key, offset, length, family);
  }

  public static void delete(long db, long options, byte[] key, int offset, int length) throws RocksDBException {
    delete(db, options, key, offset, length, 0);
  }

  public static void delete(long db, long options, byte[] key, int offset, int length, long family)
      throws RocksDBException {
    write(Operation.DELETE, db, options, key, offset, length, family);
  }

  public static void deleteDirect(long db, long options, ByteBuffer key, int offset, int length, long family)
      throws RocksDBException {
    write(Operation.DELETE, Scratch.enter(key, offset, length), db, options, family, 0);
  }

  public static void singleDelete(long db, byte[] key, int length) throws RocksDBException {
    singleDelete(db, 0, key, length, 0);
  }

  public static void singleDelete(long db, byte[] key, int length, long family) throws RocksDBException {
    singleDelete(db, 0, key, length, family);
  }

  public static void singleDelete(long db, long options, byte[] key, int length) throws RocksDBException {
    singleDelete(db, options, key, length, 0);
  }

  public static void singleDelete(long db, long options, byte[] key, int length, long family)
      throws RocksDBException {
    write(Operation.SINGLE_DELETE, db, options, key, 0, length, family);
  }

  private static void write(
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

  private static void write(
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

  /** Writes the call's key and value, and leaves the call. */
  private static void write(Operation operation, Call call, long db, long options, long family, int valueLength)
      throws RocksDBException {
    try {
      long opts = options == 0 ? DEFAULT_OPTIONS : options;
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

  private static void write(
      Operation operation, long db, long options, byte[] key, int offset, int length, long family)
      throws RocksDBException {
    write(operation, Scratch.enter(key, offset, length), db, options, family, 0);
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
