/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.rocksdb.RocksDBException;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.compat.write.Operation;
import org.rocksdbffm.internal.call.Call;

/** Writes tables, the SST files that a database can ingest. */
public final class TableWriters {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private TableWriters() {}

  /** Puts or merges. */
  public static void write(Operation operation, long writer, byte[] key, byte[] value) throws RocksDBException {
    write(operation, writer, MemorySegment.ofArray(key), MemorySegment.ofArray(value));
  }

  public static void write(Operation operation, long writer, long keySlice, long valueSlice) throws RocksDBException {
    write(operation, writer, Slices.bytes(keySlice), Slices.bytes(valueSlice));
  }

  public static void write(
      Operation operation,
      long writer,
      ByteBuffer key,
      int keyOffset,
      int keyLength,
      ByteBuffer value,
      int valueOffset,
      int valueLength)
      throws RocksDBException {
    write(
        operation,
        writer,
        Buffers.part(key, keyOffset, keyLength),
        Buffers.part(value, valueOffset, valueLength));
  }

  public static void delete(long writer, byte[] key) throws RocksDBException {
    write(Operation.DELETE, writer, MemorySegment.ofArray(key), NOTHING);
  }

  public static void delete(long writer, long keySlice) throws RocksDBException {
    write(Operation.DELETE, writer, Slices.bytes(keySlice), NOTHING);
  }

  private static void write(Operation operation, long writer, MemorySegment key, MemorySegment value)
      throws RocksDBException {
    Call call = Scratch.enter();
    try {
      call.copyKey(key);
      call.copyValue(value);
      long wrapper = Scratch.wrap(call, 0, writer);
      long keyPlace = call.key().address();
      long valuePlace = call.value().address();
      long error = Scratch.error(call);
      switch (operation) {
        case PUT ->
            rocksdb_sstfilewriter_put(wrapper, keyPlace, key.byteSize(), valuePlace, value.byteSize(), error);
        case MERGE ->
            rocksdb_sstfilewriter_merge(wrapper, keyPlace, key.byteSize(), valuePlace, value.byteSize(), error);
        case DELETE -> rocksdb_sstfilewriter_delete(wrapper, keyPlace, key.byteSize(), error);
        default -> throw new IllegalArgumentException(operation + " of a table is for the entry points");
      }
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
