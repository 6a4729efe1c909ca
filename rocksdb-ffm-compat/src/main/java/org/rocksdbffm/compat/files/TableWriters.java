/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.internal.call.Call;

/** Writes tables, the SST files that a database can ingest. */
public final class TableWriters {
  private TableWriters() {}

  /** A function of the engine's that takes a key and a value. */
  private interface Operation {
    void apply(long writer, long key, long keySize, long value, long valueSize, long error);
  }

  public static void put(long writer, byte[] key, byte[] value) throws RocksDBException {
    write(TableWriters::rocksdb_sstfilewriter_put, writer, MemorySegment.ofArray(key), MemorySegment.ofArray(value));
  }

  public static void put(long writer, long keySlice, long valueSlice) throws RocksDBException {
    write(TableWriters::rocksdb_sstfilewriter_put, writer, Slices.bytes(keySlice), Slices.bytes(valueSlice));
  }

  public static void putDirect(
      long writer, ByteBuffer key, int keyOffset, int keyLength, ByteBuffer value, int valueOffset, int valueLength)
      throws RocksDBException {
    write(
        TableWriters::rocksdb_sstfilewriter_put,
        writer,
        Buffers.part(key, keyOffset, keyLength),
        Buffers.part(value, valueOffset, valueLength));
  }

  public static void merge(long writer, byte[] key, byte[] value) throws RocksDBException {
    write(TableWriters::rocksdb_sstfilewriter_merge, writer, MemorySegment.ofArray(key), MemorySegment.ofArray(value));
  }

  public static void merge(long writer, long keySlice, long valueSlice) throws RocksDBException {
    write(TableWriters::rocksdb_sstfilewriter_merge, writer, Slices.bytes(keySlice), Slices.bytes(valueSlice));
  }

  public static void delete(long writer, byte[] key) throws RocksDBException {
    delete(writer, MemorySegment.ofArray(key));
  }

  public static void delete(long writer, long keySlice) throws RocksDBException {
    delete(writer, Slices.bytes(keySlice));
  }

  private static void delete(long writer, MemorySegment key) throws RocksDBException {
    Call call = Scratch.enter();
    try {
      call.copyKey(key);
      rocksdb_sstfilewriter_delete(
          Scratch.wrap(call, 0, writer), call.key().address(), key.byteSize(), Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  private static void write(Operation operation, long writer, MemorySegment key, MemorySegment value)
      throws RocksDBException {
    Call call = Scratch.enter();
    try {
      call.copyKey(key);
      call.copyValue(value);
      operation.apply(
          Scratch.wrap(call, 0, writer),
          call.key().address(),
          key.byteSize(),
          call.value().address(),
          value.byteSize(),
          Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  private static native void rocksdb_sstfilewriter_put(
      long writer, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_sstfilewriter_merge(
      long writer, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_sstfilewriter_delete(long writer, long key, long keySize, long error);
}
