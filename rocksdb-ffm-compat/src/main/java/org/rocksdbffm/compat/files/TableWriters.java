/* Licensed under the Apache License, Version 2.0; see LICENSE. */
package org.rocksdbffm.compat.files;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdbffm.compat.support.Buffers;
import org.rocksdbffm.compat.support.Scratch;
import org.rocksdbffm.compat.support.Slices;
import org.rocksdbffm.compat.support.Text;
import org.rocksdbffm.compat.write.Operation;
import org.rocksdbffm.internal.call.Call;

/** Writes SST files, which a database can ingest. */
public final class TableWriters {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  /** Writers with an unfinished file. */
  private static final Set<Long> OPEN = ConcurrentHashMap.newKeySet();

  private TableWriters() {}

  /** Opens a new file. Throws if the current file is unfinished, because the engine would drop its entries. */
  public static void open(long writer, String path) throws RocksDBException {
    if (OPEN.contains(writer)) {
      throw new RocksDBException(
          "SstFileWriter has a table that is not finished: finish() it, or open " + path + " with another writer",
          new Status(Status.Code.InvalidArgument, Status.SubCode.None, null));
    }
    try (Arena arena = Arena.ofConfined()) {
      Call call = Scratch.enter();
      try {
        rocksdb_sstfilewriter_open(Scratch.wrap(call, 0, writer), Text.ofPath(path, arena)
            .address(), Scratch.error(call));
        Scratch.check(call);
      } finally {
        call.exit();
      }
    }
    OPEN.add(writer);
  }

  public static void finish(long writer) throws RocksDBException {
    OPEN.remove(writer);
    Call call = Scratch.enter();
    try {
      rocksdb_sstfilewriter_finish(Scratch.wrap(call, 0, writer), Scratch.error(call));
      Scratch.check(call);
    } finally {
      call.exit();
    }
  }

  public static void dispose(long writer) {
    OPEN.remove(writer);
    Java_org_rocksdb_SstFileWriter_disposeInternalJni(writer);
  }

  /** Puts or merges a value. */
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

  private static native void rocksdb_sstfilewriter_open(long writer, long path, long error);

  private static native void rocksdb_sstfilewriter_finish(long writer, long error);

  private static native void Java_org_rocksdb_SstFileWriter_disposeInternalJni(long writer);

  private static native void rocksdb_sstfilewriter_put(
      long writer, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_sstfilewriter_merge(
      long writer, long key, long keySize, long value, long valueSize, long error);

  private static native void rocksdb_sstfilewriter_delete(long writer, long key, long keySize, long error);
}
